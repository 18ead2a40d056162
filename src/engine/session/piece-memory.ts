/**
 * Number of samples in a block: half a second. About five pieces share one block, so a piece that is still in use
 * prevents only a few others from being freed.
 */
const block = 8000;

/**
 * Copies the audio pieces of one stream into blocks, because the core reuses its own memory. A block is freed with
 * the last of its pieces. Pieces of one stream share blocks, because they are freed at about the same time. Use it
 * on one thread only.
 */
export class PieceMemory {
  #block = new Int16Array(0);
  #at = 0;

  /** Copies samples. @returns the copy. It is never overwritten. */
  copy(pcm: Int16Array): Int16Array {
    if (this.#at + pcm.length > this.#block.length) {
      this.#block = new Int16Array(Math.max(block, pcm.length));
      this.#at = 0;
    }
    const piece = this.#block.subarray(this.#at, this.#at + pcm.length);
    piece.set(pcm);
    this.#at += pcm.length;
    return piece;
  }
}

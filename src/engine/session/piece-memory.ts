/** Samples of a block: half a second. About five pieces share one allocation, and a retained piece retains little else. */
const block = 8000;

/**
 * Copies the audio pieces of one stream into blocks, because the core reuses its own memory. A block is freed with the last of its
 * pieces, and the pieces of a stream are freed at about the same time. Use it on one thread only.
 */
export class PieceMemory {
  #block = new Int16Array(0);
  #at = 0;

  /** @returns a copy that never changes. */
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

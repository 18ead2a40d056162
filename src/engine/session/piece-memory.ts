/** Samples of a block: half a second, so that five pieces need one allocation and a kept piece keeps little else. */
const block = 8000;

/**
 * Memory for the pieces of audio of one stream, which come out of the core in memory that is used again: one after the other in blocks.
 * A block is free when all its pieces are; those of a stream become so together. On one thread only.
 */
export class PieceMemory {
  #block = new Int16Array(0);
  #at = 0;

  /** @returns a copy, which is not changed any more. */
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

const keep = 16_384;

/**
 * A queue of samples: append at the end, drop from the front, read anywhere. Its memory grows geometrically and shrinks
 * when the queue gets shorter.
 */
export class SampleQueue {
  #samples = new Int16Array(2048);
  #start = 0;
  #end = 0;

  get length(): number {
    return this.#end - this.#start;
  }

  get bytes(): number {
    return this.#samples.byteLength;
  }

  push(samples: Int16Array): void {
    if (this.#end + samples.length > this.#samples.length) this.#makeSpace(samples.length);
    this.#samples.set(samples, this.#end);
    this.#end += samples.length;
  }

  /** Returns a copy of the samples from index `from` to index `to`, exclusive. The first sample has index 0. */
  slice(from: number, to: number): Int16Array {
    return this.#samples.slice(this.#start + from, this.#start + to);
  }

  drop(count: number): void {
    this.#start += Math.min(count, this.length);
    if (this.#samples.length > keep && this.length * 4 < this.#samples.length)
      this.#resize(2 * this.length + 2048);
  }

  #makeSpace(count: number): void {
    const needed = this.length + count;
    if (needed * 2 > this.#samples.length) {
      this.#resize(2 * needed);
      return;
    }
    this.#samples.copyWithin(0, this.#start, this.#end);
    this.#end -= this.#start;
    this.#start = 0;
  }

  #resize(size: number): void {
    const samples = new Int16Array(size);
    samples.set(this.#samples.subarray(this.#start, this.#end));
    this.#end -= this.#start;
    this.#start = 0;
    this.#samples = samples;
  }
}

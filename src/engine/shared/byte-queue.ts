const smallestChunk = 4096;
const largestChunk = 65_536;
/** Before each record: its length. */
const prefix = 4;
const nothing = new Uint8Array(0);

interface Chunk {
  readonly memory: Buffer;
  /** Where what was written ends. */
  end: number;
}

/**
 * Byte strings, first in, first out, one after the other in chunks of memory of its own: a string that waits for hours keeps
 * no memory of others alive, and costs no object of its own. Never takes more than twice the bytes in it, and one chunk.
 * On one thread only.
 */
export class ByteQueue {
  /** The first holds the oldest. */
  readonly #chunks: Chunk[] = [];
  /** Where the oldest begins in the first chunk. */
  #at = 0;
  #length = 0;

  /** How many strings there are. */
  get length(): number {
    return this.#length;
  }

  /**
   * @param bytes copied before this returns.
   * @param head stands before them in the same string.
   */
  push(bytes: Uint8Array, head: Uint8Array = nothing): void {
    const length = head.length + bytes.length;
    const need = prefix + length;
    let chunk = this.#chunks.at(-1);
    if (chunk === undefined || chunk.end + need > chunk.memory.length) {
      const grown = chunk === undefined ? smallestChunk : Math.min(2 * chunk.memory.length, largestChunk);
      // An empty chunk that was kept and is too small.
      if (this.#length === 0) this.#chunks.length = 0;
      // Not from the pool that all small buffers of a thread share.
      chunk = { memory: Buffer.allocUnsafeSlow(Math.max(grown, need)), end: 0 };
      this.#chunks.push(chunk);
    }
    chunk.memory.writeUInt32LE(length, chunk.end);
    chunk.memory.set(head, chunk.end + prefix);
    chunk.memory.set(bytes, chunk.end + prefix + head.length);
    chunk.end += need;
    this.#length++;
  }

  /** The oldest, where it lies: it is overwritten after the next `push` that follows a `drop`. */
  get oldest(): Buffer | undefined {
    const memory = this.#chunks[0]?.memory;
    if (memory === undefined || this.#length === 0) return undefined;
    const start = this.#at + prefix;
    return memory.subarray(start, start + memory.readUInt32LE(this.#at));
  }

  /** Forgets the oldest. */
  drop(): void {
    const [chunk] = this.#chunks;
    if (chunk === undefined || this.#length === 0) return;
    this.#length--;
    this.#at += prefix + chunk.memory.readUInt32LE(this.#at);
    if (this.#at < chunk.end) return;
    this.#at = 0;
    // A stream that says something says more: its smallest chunk stays.
    if (this.#length === 0 && chunk.memory.length === smallestChunk) chunk.end = 0;
    else this.#chunks.shift();
  }

  clear(): void {
    this.#chunks.length = 0;
    this.#at = 0;
    this.#length = 0;
  }
}

const smallestChunk = 4096;
const largestChunk = 65_536;
/** Number of bytes of the length field before each string. */
const prefix = 4;
const nothing = new Uint8Array(0);

interface Chunk {
  readonly memory: Buffer;
  /** Offset after the last byte that was written. */
  end: number;
}

/**
 * A first-in, first-out queue of byte strings. It copies them one after the other into its own chunks. A string
 * that waits for hours therefore keeps no buffer of the caller alive and needs no separate object. The memory is at
 * most twice the queued bytes, plus one chunk. Use it on one thread only.
 */
export class ByteQueue {
  /** Chunks of queued strings, oldest first. */
  readonly #chunks: Chunk[] = [];
  /** Offset of the oldest string in the first chunk. */
  #at = 0;
  #length = 0;

  /** Number of queued strings. */
  get length(): number {
    return this.#length;
  }

  /**
   * Appends one string.
   * @param bytes copied before this returns.
   * @param head bytes that precede `bytes` in the same string, copied too.
   */
  push(bytes: Uint8Array, head: Uint8Array = nothing): void {
    const length = head.length + bytes.length;
    const need = prefix + length;
    let chunk = this.#chunks.at(-1);
    if (chunk === undefined || chunk.end + need > chunk.memory.length) {
      const grown = chunk === undefined ? smallestChunk : Math.min(2 * chunk.memory.length, largestChunk);
      // An empty queue may still have one chunk. This string does not fit into that chunk, so the chunk is removed.
      if (this.#length === 0) this.#chunks.length = 0;
      // `allocUnsafe` would use the buffer pool that the whole thread shares, and keep a block of it alive.
      chunk = { memory: Buffer.allocUnsafeSlow(Math.max(grown, need)), end: 0 };
      this.#chunks.push(chunk);
    }
    chunk.memory.writeUInt32LE(length, chunk.end);
    chunk.memory.set(head, chunk.end + prefix);
    chunk.memory.set(bytes, chunk.end + prefix + head.length);
    chunk.end += need;
    this.#length++;
  }

  /** A view of the oldest string; undefined if the queue is empty. A `push` after the next `drop` may overwrite it. */
  get oldest(): Buffer | undefined {
    const memory = this.#chunks[0]?.memory;
    if (memory === undefined || this.#length === 0) return undefined;
    const start = this.#at + prefix;
    return memory.subarray(start, start + memory.readUInt32LE(this.#at));
  }

  /** Removes the oldest string. */
  drop(): void {
    const [chunk] = this.#chunks;
    if (chunk === undefined || this.#length === 0) return;
    this.#length--;
    this.#at += prefix + chunk.memory.readUInt32LE(this.#at);
    if (this.#at < chunk.end) return;
    this.#at = 0;
    // Keeps a chunk of the smallest size, because an active stream will soon push again.
    if (this.#length === 0 && chunk.memory.length === smallestChunk) chunk.end = 0;
    else this.#chunks.shift();
  }

  clear(): void {
    this.#chunks.length = 0;
    this.#at = 0;
    this.#length = 0;
  }
}

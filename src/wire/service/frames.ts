/** Number of bytes before each message that contain its length as uint32, little-endian. */
const headerBytes = 4;

/** Returns the bytes of a message for a socket: its length, then the message. */
export const framed = (message: Uint8Array): Buffer => {
  const frame = Buffer.allocUnsafe(headerBytes + message.length);
  frame.writeUInt32LE(message.length, 0);
  frame.set(message, headerBytes);
  return frame;
};

/** Splits bytes from a socket into messages that the sender has made with `framed`. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Length of the message being received; undefined until its header is complete. */
  #length: number | undefined;

  /** @param longest maximum number of bytes in a message. */
  constructor(private readonly longest: number) {}

  /**
   * Reads a chunk of bytes.
   * @returns the messages that this chunk completes. They may share the memory of the chunk.
   * @throws RangeError if a message is too long. After this error, the reader cannot be used.
   */
  push(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    const messages: Buffer[] = [];
    for (;;) {
      if (this.#length === undefined) {
        if (this.#bytes < headerBytes) return messages;
        this.#length = this.#take(headerBytes).readUInt32LE(0);
        if (this.#length > this.longest) throw new RangeError(`a message of ${this.#length} bytes`);
      }
      if (this.#bytes < this.#length) return messages;
      messages.push(this.#take(this.#length));
      this.#length = undefined;
    }
  }

  #take(length: number): Buffer {
    // Chunks of a long message are joined once, after all have arrived.
    if (this.#chunks.length !== 1 && (this.#chunks[0]?.length ?? 0) < length)
      this.#chunks = [Buffer.concat(this.#chunks, this.#bytes)];
    const [first = Buffer.alloc(0), ...others] = this.#chunks;
    this.#bytes -= length;
    this.#chunks = first.length === length ? others : [first.subarray(length), ...others];
    return first.subarray(0, length);
  }
}

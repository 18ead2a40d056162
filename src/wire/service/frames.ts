/** Bytes before each message: its length, a uint32, little endian. */
const headerBytes = 4;

/** A message with its length before it, as it is written to a socket. */
export const framed = (message: Uint8Array): Buffer => {
  const frame = Buffer.allocUnsafe(headerBytes + message.length);
  frame.writeUInt32LE(message.length, 0);
  frame.set(message, headerBytes);
  return frame;
};

/** Cuts the bytes of a socket into the messages that `framed` has made. */
export class FrameReader {
  readonly #longest: number;
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Length of the message that is being received; undefined while its header is. */
  #length: number | undefined;

  /** @param longest bytes that a message may have. */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /**
   * @returns the messages that are complete with this chunk; they share its memory.
   * @throws RangeError for a message that is longer than allowed; nothing that follows can be read then.
   */
  push(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    const messages: Buffer[] = [];
    for (;;) {
      if (this.#length === undefined) {
        if (this.#bytes < headerBytes) return messages;
        this.#length = this.#take(headerBytes).readUInt32LE(0);
        if (this.#length > this.#longest) throw new RangeError(`a message of ${this.#length} bytes`);
      }
      if (this.#bytes < this.#length) return messages;
      messages.push(this.#take(this.#length));
      this.#length = undefined;
    }
  }

  #take(length: number): Buffer {
    // Chunks of a long message are joined once, when all of them have come.
    if (this.#chunks.length !== 1 && (this.#chunks[0]?.length ?? 0) < length)
      this.#chunks = [Buffer.concat(this.#chunks, this.#bytes)];
    const [first = Buffer.alloc(0), ...others] = this.#chunks;
    this.#bytes -= length;
    this.#chunks = first.length === length ? others : [first.subarray(length), ...others];
    return first.subarray(0, length);
  }
}

/** A chunk of at least this many bytes is passed on at once. */
const large = 4096;
/** Maximum number of bytes of smaller chunks that are gathered. */
const most = 16_384;

/**
 * Joins small chunks of a body that arrive in one turn of the event loop. Passing on a small chunk costs this thread as
 * much as passing on a large one. A client may send one byte per chunk, so one read of the socket can contain ten
 * thousand chunks. The bytes stay in order.
 */
export class GatheredChunks {
  #gathered: Buffer | undefined;
  #length = 0;
  #turn: NodeJS.Immediate | undefined;

  /** @param pass receives the gathered bytes in a separate buffer, at the latest when the turn of the event loop ends. */
  constructor(private readonly pass: (bytes: Buffer) => void) {}

  /** Adds a chunk. @param chunk is copied, because its memory may be invalid when this returns. */
  add(chunk: ArrayBuffer): void {
    const bytes = new Uint8Array(chunk);
    if (bytes.length >= large || this.#length + bytes.length > most) this.flush();
    if (bytes.length >= large) {
      this.pass(Buffer.from(bytes));
      return;
    }
    if (bytes.length === 0) return;
    this.#gathered ??= Buffer.allocUnsafeSlow(most);
    this.#gathered.set(bytes, this.#length);
    this.#length += bytes.length;
    this.#turn ??= setImmediate(() => this.flush());
  }

  /** Passes on the gathered bytes. Does nothing if there are none. */
  flush(): void {
    clearImmediate(this.#turn);
    this.#turn = undefined;
    if (this.#gathered === undefined) return;
    // The bytes are copied. Otherwise a few bytes would keep the complete buffer in memory until they are sent.
    const bytes = Buffer.from(this.#gathered.subarray(0, this.#length));
    this.#gathered = undefined;
    this.#length = 0;
    this.pass(bytes);
  }
}

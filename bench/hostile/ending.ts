/**
 * Number of bytes that are kept from the end of the stream. A close frame has at most 2 bytes of header and 125 bytes
 * of payload.
 */
const kept = 127;
const closeOpcode = 0x88;
const withoutReason = 'without a close frame';

/** Reads from the server's bytes how the server ended a connection. Ignores all other messages of the server. */
export class Ending {
  #first: Buffer = Buffer.alloc(0);
  #last: Buffer = Buffer.alloc(0);

  /** Takes the server's bytes in order. */
  take(bytes: Buffer): void {
    // A status line such as `HTTP/1.1 429` has 12 bytes.
    if (this.#first.length < 12) this.#first = Buffer.concat([this.#first, bytes]).subarray(0, 12);
    this.#last = Buffer.concat([this.#last, bytes.subarray(-kept)]).subarray(-kept);
  }

  /**
   * Returns how the connection ended: `HTTP 429` for a refused upgrade, `1008 text_flood` for a closed stream. A close
   * frame is the last frame of the server and has no mask. Source of the frame layout: RFC 6455, 5.2 and 5.5.1.
   */
  words(): string {
    const status = this.#first.toString('latin1').slice(9);
    if (status !== '' && status !== '101') return `HTTP ${status}`;
    for (let length = 2; length + 2 <= this.#last.length; length++) {
      const frame = this.#last.subarray(-(length + 2));
      if (frame[0] === closeOpcode && frame[1] === length) {
        return `${frame.readUInt16BE(2)} ${frame.toString('utf8', 4)}`.trim();
      }
    }
    return withoutReason;
  }
}

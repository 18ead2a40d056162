/** Bytes that are kept of what came last: a close frame has at most 2 + 125. */
const kept = 127;
const closeOpcode = 0x88;
const withoutReason = 'without a close frame';

/** Tells how a server ended a connection from what it sent: no other message of it is read. */
export class Ending {
  #first: Buffer = Buffer.alloc(0);
  #last: Buffer = Buffer.alloc(0);

  /** Takes bytes in their order. */
  take(bytes: Buffer): void {
    // The status stands in the first 12 bytes: HTTP/1.1 429.
    if (this.#first.length < 12) this.#first = Buffer.concat([this.#first, bytes]).subarray(0, 12);
    this.#last = Buffer.concat([this.#last, bytes.subarray(-kept)]).subarray(-kept);
  }

  /**
   * How it ended: `HTTP 429` for an upgrade that was refused, `1008 text_flood` for a stream that was closed. Source of the frame's
   * layout: RFC 6455, 5.2 and 5.5.1; a server's frames have no mask, and a close frame is its last one.
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

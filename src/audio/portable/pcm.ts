/** Converts raw PCM of a stream to mono samples. The rules are those of native/codec/pcm.h. */
export class PcmDecoder {
  readonly frameBytes: number;
  readonly #carry = new Uint8Array(4);
  #carried = 0;
  #discard = 0;

  /** @param wide whether samples are 16-bit little-endian; otherwise they are unsigned 8-bit */
  constructor(
    private readonly wide: boolean,
    private readonly channels: number,
  ) {
    this.frameBytes = (wide ? 2 : 1) * channels;
  }

  /** Returns the samples of a message. Keeps an incomplete sample at the end of the message for the next message. */
  decode(bytes: Uint8Array): Int16Array {
    let at = Math.min(this.#discard, bytes.length);
    this.#discard -= at;
    const out = new Int16Array(Math.floor((this.#carried + bytes.length - at) / this.frameBytes));
    let written = 0;
    if (this.#carried > 0) {
      while (this.#carried < this.frameBytes && at < bytes.length)
        this.#carry[this.#carried++] = bytes[at++]!;
      if (this.#carried === this.frameBytes) {
        out[written++] = this.#sample(this.#carry, 0);
        this.#carried = 0;
      }
    }
    for (; bytes.length - at >= this.frameBytes; at += this.frameBytes)
      out[written++] = this.#sample(bytes, at);
    while (at < bytes.length) this.#carry[this.#carried++] = bytes[at++]!;
    return out;
  }

  /**
   * Records that `bytes` bytes of the stream were lost. If the loss cut a sample, discards the remaining bytes of that
   * sample.
   */
  skip(bytes: number): void {
    const covered = Math.min(this.#discard, bytes);
    this.#discard -= covered;
    const into = (this.#carried + bytes - covered) % this.frameBytes;
    this.#carried = 0;
    this.#discard += into === 0 ? 0 : this.frameBytes - into;
  }

  #sample(bytes: Uint8Array, at: number): number {
    let sum = 0;
    for (let c = 0; c < this.channels; c++) {
      sum += this.wide
        ? ((bytes[at + 2 * c]! | (bytes[at + 2 * c + 1]! << 8)) << 16) >> 16
        : (bytes[at + c]! - 128) * 256;
    }
    return this.channels === 2 ? sum >> 1 : sum;
  }
}

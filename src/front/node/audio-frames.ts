/**
 * Reads audio frames at the beginning of received data. Most data are audio frames, and each of these frames is a
 * complete message. So the framing rules of RFC 6455, section 5.2, are enough, and the parser of ws is not needed.
 */

/** First byte of a frame: final fragment, no reserved bit, opcode binary. */
const wholeBinary = 0x82;
const masked = 0x80;
/** Number of bytes in a frame's head with its mask, if the length field has 7 bits only. */
const shortHead = 6;
/** Number of bytes in a frame's head with its mask, if two bytes with the length follow the 7 bits. */
const mediumHead = 8;
/** Value of the 7-bit length field if the length follows in the next two bytes. */
const mediumLength = 126;
/** Value of the 7-bit length field if the length follows in the next eight bytes. */
const longLength = 127;
const final = 0x80;
const opcodeBits = 0x0f;
const firstControl = 0x08;
const maskBytes = 4;

const stopped = -1;

const unmask = (bytes: Uint8Array, from: number, to: number): void => {
  const [one, two, three, four] = [bytes[from - 4]!, bytes[from - 3]!, bytes[from - 2]!, bytes[from - 1]!];
  let at = from;
  for (const last = to - 3; at < last; at += 4) {
    bytes[at]! ^= one;
    bytes[at + 1]! ^= two;
    bytes[at + 2]! ^= three;
    bytes[at + 3]! ^= four;
  }
  if (at < to) bytes[at]! ^= one;
  if (at + 1 < to) bytes[at + 1]! ^= two;
  if (at + 2 < to) bytes[at + 2]! ^= three;
};

/**
 * Reads complete masked binary messages of up to 64 KiB, and unmasks them in place.
 * @param bytes begin with a frame. They may be changed.
 * @param take receives each message as a view of `bytes`. Returns whether to continue.
 * @returns the number of bytes read. Reading stops at the first frame that is incomplete, invalid, or not a binary
 *   message. Returns `stopped` if `take` returned false.
 */
const takeAudioFrames = (bytes: Buffer, take: (frame: Uint8Array) => boolean): number => {
  let at = 0;
  while (bytes.length - at >= shortHead && bytes[at] === wholeBinary) {
    let length = bytes[at + 1]! - masked;
    let from = at + shortHead;
    if (length < 0 || length === longLength) return at;
    if (length === mediumLength) {
      if (bytes.length - at < mediumHead) return at;
      length = bytes[at + 2]! * 256 + bytes[at + 3]!;
      from = at + mediumHead;
    }
    const to = from + length;
    if (to > bytes.length) return at;
    unmask(bytes, from, to);
    at = to;
    if (!take(bytes.subarray(from, to))) return stopped;
  }
  return at;
};

/**
 * Follows the heads of the frames that ws reads, to find where a message ends. Does not detect invalid frames, because
 * ws closes the socket for them.
 */
class FrameBounds {
  /** Number of bytes of the current frame's payload that have not arrived. */
  #payload = 0;
  /** Bytes of an incomplete head that have arrived. */
  #head: number[] = [];
  /** Whether the last fragment of the current message has not arrived. */
  #fragmented = false;

  /** Whether the next byte begins a message. */
  get areClear(): boolean {
    return this.#payload === 0 && this.#head.length === 0 && !this.#fragmented;
  }

  follow(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#payload > 0) {
        const skipped = Math.min(this.#payload, bytes.length - at);
        this.#payload -= skipped;
        at += skipped;
        continue;
      }
      this.#head.push(bytes[at++]!);
      if (this.#head.length === this.#headLength()) this.#begin();
    }
  }

  #headLength(): number {
    const second = this.#head[1];
    if (second === undefined) return 2;
    const length = second & ~masked;
    const more = length === mediumLength ? 2 : length === longLength ? 8 : 0;
    return 2 + more + (second >= masked ? maskBytes : 0);
  }

  #begin(): void {
    const [first, second] = this.#head as [number, number];
    const short = second & ~masked;
    const end = short === mediumLength ? 4 : short === longLength ? 10 : 2;
    let length = end === 2 ? short : 0;
    for (let at = 2; at < end; at++) length = length * 256 + this.#head[at]!;
    this.#payload = length;
    this.#head = [];
    if ((first & opcodeBits) < firstControl) this.#fragmented = (first & final) === 0;
  }
}

/**
 * Reads complete audio frames from the data of a socket, if no other message is incomplete. Passes all other bytes on.
 */
export class AudioFrames {
  readonly #bounds = new FrameBounds();

  /**
   * @param take receives each audio frame, whose memory the caller of `read` owns. Returns whether to continue.
   * @param pass receives copies of all other bytes, in order. They form valid frames if the received bytes do.
   */
  constructor(
    private readonly take: (frame: Uint8Array) => boolean,
    private readonly pass: (bytes: Buffer) => void,
  ) {}

  /**
   * Reads the next received data.
   * @param bytes may be changed. Their memory may be reused when this returns.
   * @returns false if `take` returned false. The rest of the data was dropped then.
   */
  read(bytes: Buffer): boolean {
    const taken = this.#bounds.areClear ? takeAudioFrames(bytes, this.take) : 0;
    if (taken < 0) return false;
    if (taken === bytes.length) return true;
    const rest = taken === 0 ? bytes : bytes.subarray(taken);
    // This call must precede `pass`, because ws unmasks the bytes in place.
    this.#bounds.follow(rest);
    this.pass(Buffer.from(rest));
    return true;
  }
}

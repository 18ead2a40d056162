/**
 * Frames of audio at the front of what a socket received. They are most of what arrives, and each is a whole message, so that
 * they need nothing of ws but its rules (RFC 6455, section 5.2).
 */

/** Final fragment, no reserved bit, opcode binary. */
const wholeBinary = 0x82;
const masked = 0x80;
/** Length of a head with the mask. */
const shortHead = 6;
const mediumHead = 8;
/** What stands for the length where two bytes, or eight, follow with it. */
const mediumLength = 126;
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
 * Reads whole masked binary messages of up to 64 KiB, and unmasks them in place.
 * @param bytes begin with a frame. They may be changed.
 * @param take gets each message; the memory is that of `bytes`. @returns whether to go on.
 * @returns bytes read: everything up to the first frame that is of another kind, not complete, or breaks a rule; `stopped` where
 *   `take` said not to go on.
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
 * Follows the frames of what ws is given, by their heads alone, to know where a message ends. What breaks a rule is not found here:
 * ws closes the socket then.
 */
class FrameBounds {
  /** Bytes of the payload under way that are still to come. */
  #payload = 0;
  /** Bytes of a head that is not complete. */
  #head: number[] = [];
  /** A message in fragments is under way. */
  #fragmented = false;

  /** The next byte begins a message. */
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

/** Takes frames of audio out of what a socket receives, where they are whole and lie between two messages. */
export class AudioFrames {
  readonly #take: (frame: Uint8Array) => boolean;
  readonly #pass: (bytes: Buffer) => void;
  readonly #bounds = new FrameBounds();

  /**
   * @param take gets each frame of audio; the memory is the reader's until it returns. @returns whether to go on.
   * @param pass gets copies of all other bytes, in the order received; together they are proper frames if those received are.
   */
  constructor(take: (frame: Uint8Array) => boolean, pass: (bytes: Buffer) => void) {
    this.#take = take;
    this.#pass = pass;
  }

  /**
   * @param bytes what was received next. They are changed, and their memory may be used again when this returns.
   * @returns false when `take` said not to go on: the rest was dropped.
   */
  read(bytes: Buffer): boolean {
    const taken = this.#bounds.areClear ? takeAudioFrames(bytes, this.#take) : 0;
    if (taken < 0) return false;
    if (taken === bytes.length) return true;
    const rest = taken === 0 ? bytes : bytes.subarray(taken);
    // Before it is unmasked.
    this.#bounds.follow(rest);
    this.#pass(Buffer.from(rest));
    return true;
  }
}

/** Makes random bytes and broken copies of valid bytes from one seed, so that a failure can be replayed. */
import { uniform } from '../../../src/audio/pink-noise.js';

/** Protocol fragments that random mutation would rarely produce. */
const tokens: readonly string[] = [
  '\r\n',
  '\n',
  '\r\n\r\n',
  '\0',
  ' ',
  ':',
  ',',
  '%',
  '%00',
  '\xff\xfe',
  'Content-Length: 5\r\n',
  'Content-Length: -1\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Connection: Upgrade\r\n',
  'Connection: close\r\n',
  'Upgrade: websocket\r\n',
  'Expect: 100-continue\r\n',
  'Sec-WebSocket-Extensions: permessage-deflate\r\n',
  'HTTP/1.1',
  'HTTP/1.0',
  'HEAD',
  'CONNECT',
  '99999999999999999999',
  '0\r\n\r\n',
  '{"type":"auth"}',
  '../',
];

export class Mutator {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = uniform(seed);
  }

  /** Returns an integer from 0 to `below` - 1. */
  below(below: number): number {
    return Math.floor(this.#random() * below);
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)]!;
  }

  /** Returns `length` random bytes. */
  noise(length: number): Buffer {
    const bytes = Buffer.alloc(length);
    for (let index = 0; index < length; index++) bytes[index] = this.below(256);
    return bytes;
  }

  /** Returns a copy with one to six changes: bytes flipped, replaced, inserted, removed or repeated, or a protocol token inserted. */
  mutate(bytes: Buffer): Buffer {
    let mutant: Buffer = Buffer.from(bytes);
    for (let changes = 1 + this.below(6); changes > 0; changes--) mutant = this.#change(mutant);
    return mutant;
  }

  /** Splits bytes into one to four pieces. */
  pieces(bytes: Buffer): Buffer[] {
    const cuts = Array.from({ length: this.below(4) }, () => this.below(bytes.length + 1));
    const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
    return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
  }

  /**
   * Returns a client's WebSocket frame, valid in about half of the cases.
   * @param payload bytes of the frame's payload.
   */
  frame(payload: Buffer): Buffer {
    const broken = this.below(2) === 0;
    const opcode = broken ? this.below(16) : this.pick([1, 2, 2, 2, 9, 10]);
    const first = (broken ? this.below(16) << 4 : 0x80) | opcode;
    const masked = !broken || this.below(4) > 0;
    const announced = broken && this.below(3) === 0 ? this.#length() : payload.length;
    const head =
      announced < 126
        ? Buffer.from([first, announced])
        : announced < 65_536
          ? Buffer.from([first, 126, announced >> 8, announced & 255])
          : Buffer.concat([Buffer.from([first, 127]), this.#eightBytes(announced)]);
    if (!masked) return Buffer.concat([head, payload]);
    head[1]! |= 0x80;
    const mask = this.noise(4);
    const body = Buffer.from(payload);
    for (let index = 0; index < body.length; index++) body[index]! ^= mask[index & 3]!;
    return Buffer.concat([head, mask, body]);
  }

  #length(): number {
    return this.pick([0, 1, 125, 126, 127, 65_535, 65_536, 1_310_720, 2 ** 31, 2 ** 32, 2 ** 52]);
  }

  #eightBytes(length: number): Buffer {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE(BigInt(length));
    if (this.below(4) === 0) bytes[0]! |= 0x80;
    return bytes;
  }

  #change(bytes: Buffer): Buffer {
    const at = this.below(bytes.length + 1);
    const end = Math.min(bytes.length, at + this.below(40));
    const before = bytes.subarray(0, at);
    switch (this.below(6)) {
      case 0: {
        const flipped = Buffer.from(bytes);
        if (at < flipped.length) flipped[at]! ^= 1 << this.below(8);
        return flipped;
      }
      case 1:
        return Buffer.concat([before, this.noise(1 + this.below(8)), bytes.subarray(at)]);
      case 2:
        return Buffer.concat([before, bytes.subarray(end)]);
      case 3:
        return Buffer.concat([before, bytes.subarray(at, end), bytes.subarray(at)]);
      case 4:
        return Buffer.concat([before, Buffer.from(this.pick(tokens), 'latin1'), bytes.subarray(at)]);
      default:
        return Buffer.concat([before, this.noise(end - at), bytes.subarray(end)]);
    }
  }
}

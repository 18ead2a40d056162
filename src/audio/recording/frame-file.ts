import { CochleaError } from '../../errors/index.js';
import type { StreamFormat } from '../../wire/index.js';
import { packetSamples } from '../ogg/index.js';

/** Bytes of a frame; a longer length is no length. */
const longestFrame = 65_536;
const prefixBytes = 4;
/** Whole frames behind which a length that is none is damage. With fewer, the file holds no frames. */
const fewestSound = 8;

/** Frames of a piece of a file. */
export interface FramesRead {
  /** In which the frames lie: what was left of the piece before, and this one. */
  readonly bytes: Uint8Array;
  /** Offset and length of each frame, one after the other. */
  readonly frames: readonly number[];
}

const refuse = (why: string): never => {
  throw new CochleaError('recording_invalid', { why });
};

/**
 * Reads the frames of a `.bin` file, which comes in pieces of any length. Each frame has its length before it, 4 bytes, little endian.
 * Holds at most one frame. Errors name what is wrong, and where. A file that is cut off or damaged gives the whole frames before that place.
 */
export class FrameFile {
  /** What was read of the next frame, in the pieces in which it came: they are joined once, however small they are. */
  #rest: Uint8Array[] = [];
  #held = 0;
  /** Bytes without which nothing can be said of the next frame. */
  #needed = prefixBytes;
  /** Of the first byte of `#rest` in the file. */
  #position = 0;
  #count = 0;
  /** Why nothing more can be read; null until then. */
  #damage: string | null = null;

  /** Frames so far. */
  get count(): number {
    return this.#count;
  }

  /** @throws CochleaError recording_invalid when one of the first lengths is 0 or beyond what a frame may have. */
  read(piece: Uint8Array): FramesRead {
    if (this.#damage !== null) return { bytes: piece, frames: [] };
    this.#held += piece.length;
    if (this.#held < this.#needed) {
      // A copy: the piece may be a part of something long, and its memory is the caller's.
      this.#rest.push(new Uint8Array(piece));
      return { bytes: piece, frames: [] };
    }
    const bytes = this.#rest.length === 0 ? piece : joined([...this.#rest, piece], this.#held);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const frames: number[] = [];
    let at = 0;
    this.#needed = prefixBytes;
    while (at + prefixBytes <= bytes.length) {
      const length = view.getUint32(at, true);
      if (length === 0 || length > longestFrame) {
        const why = `the length of a frame is ${length} ${this.#where(at)}`;
        if (this.#count + frames.length / 2 < fewestSound) refuse(why);
        this.#damage = why;
        break;
      }
      if (at + prefixBytes + length > bytes.length) {
        this.#needed = prefixBytes + length;
        break;
      }
      frames.push(at + prefixBytes, length);
      at += prefixBytes + length;
    }
    const rest = this.#damage === null ? bytes.subarray(at) : bytes.subarray(0, 0);
    this.#rest = rest.length === 0 ? [] : [new Uint8Array(rest)];
    this.#held = rest.length;
    this.#position += at;
    this.#count += frames.length / 2;
    return { bytes, frames };
  }

  /**
   * Tells that the file has ended.
   * @returns why frames are missing, of a file that is cut off or damaged; null where nothing shows that any is.
   * @throws CochleaError recording_invalid when it holds no whole frame.
   */
  end(): string | null {
    const cut = this.#held > 0 ? `it ends within a frame ${this.#where(0)}` : null;
    if (this.#count === 0) refuse(cut ?? 'it holds no audio');
    return this.#damage ?? cut;
  }

  #where(at: number): string {
    return `at byte ${this.#position + at}`;
  }
}

const joined = (pieces: readonly Uint8Array[], length: number): Uint8Array => {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
};

/** Ms of an AAC frame at its rate, and of a frame of LC3. */
const aacSamples = 1024;
const lc3Duration = 10;

/** Ms of the shortest frame of any codec. */
const shortestFrame = 2.5;

/**
 * Ms that frames of a file last, and ms that they count as: each as the shortest frame of any codec at least. A frame is work also when it
 * is none, or stands for next to nothing.
 */
export const framesDuration = (
  format: StreamFormat,
  { bytes, frames }: FramesRead,
): { readonly lasts: number; readonly counted: number } => {
  let lasts = 0;
  let counted = 0;
  for (let at = 0; at < frames.length; at += 2) {
    const offset = frames[at]!;
    const duration = frameDuration(format, bytes.subarray(offset, offset + frames[at + 1]!));
    lasts += duration;
    counted += Math.max(shortestFrame, duration);
  }
  return { lasts, counted };
};

/** Ms that a frame lasts by its head, without decoding it: exact for Opus, PCM and LC3, about that for AAC. 0 for one that is none. */
export const frameDuration = ({ codec, sampleRate, channels }: StreamFormat, frame: Uint8Array): number => {
  switch (codec) {
    case 'pcm8':
      return (frame.length * 1000) / (sampleRate * channels);
    case 'pcm16':
      return (frame.length * 1000) / (2 * sampleRate * channels);
    case 'aac':
      return (aacSamples * 1000) / sampleRate;
    case 'lc3':
    case 'lc3_fs1030':
      return lc3Duration;
    default:
      return packetSamples(frame, 1000);
  }
};

import { CochleaError } from '../../errors/index.js';
import type { StreamFormat } from '../../wire/index.js';
import { packetSamples } from '../ogg/index.js';

/** Maximum length in bytes of a frame. A larger length field is invalid. */
const longestFrame = 65_536;
const prefixBytes = 4;
/**
 * Number of complete frames after which an invalid length means damage. Before that, it means that the file does not
 * consist of frames.
 */
const fewestSound = 8;

/** The frames in a piece of a file. */
export interface FramesRead {
  /** The bytes that contain the frames: the rest of the previous piece, and this piece. */
  readonly bytes: Uint8Array;
  /** Offset and length of each frame, alternating. */
  readonly frames: readonly number[];
}

const refuse = (why: string): never => {
  throw new CochleaError('recording_invalid', { why });
};

/**
 * Reads the frames of a `.bin` file. The pieces of the file may have any length. Before each frame is its length, a
 * little-endian number of 4 bytes. Holds at most one frame in memory. Errors contain the fault and its byte offset. If
 * a file is cut off or damaged, returns the complete frames before that offset.
 */
export class FrameFile {
  /**
   * The pieces of the next frame that have arrived. They are joined only once, when the frame is complete, because
   * pieces may be tiny.
   */
  #rest: Uint8Array[] = [];
  #held = 0;
  /** Number of bytes needed before the next frame can be read. */
  #needed = prefixBytes;
  /** Offset in the file of the first byte of `#rest`. */
  #position = 0;
  #count = 0;
  /** Why reading stopped; null while the file is undamaged. */
  #damage: string | null = null;

  /** Number of frames read so far. */
  get count(): number {
    return this.#count;
  }

  /**
   * Reads a piece of the file.
   * @throws CochleaError recording_invalid when one of the first lengths is 0 or too large.
   */
  read(piece: Uint8Array): FramesRead {
    if (this.#damage !== null) return { bytes: piece, frames: [] };
    this.#held += piece.length;
    if (this.#held < this.#needed) {
      // The piece is copied, because it may be part of a large buffer, and the caller owns its memory.
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
   * Records the end of the file.
   * @returns why frames are missing from a file that is cut off or damaged; null if nothing suggests missing frames.
   * @throws CochleaError recording_invalid when the file has no complete frame.
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

/** Number of samples in an AAC frame. */
const aacSamples = 1024;
/** Duration in ms of an LC3 frame. */
const lc3Duration = 10;

/** Duration in ms of the shortest frame of any codec. */
const shortestFrame = 2.5;

/**
 * Returns the duration of a file's frames in ms, and the ms that count for the file. Each frame counts as at least the
 * duration of the shortest frame of any codec, because even an invalid frame takes work.
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

/**
 * Returns the duration of a frame in ms, without decoding it. The result is exact for Opus, PCM and LC3, approximate
 * for AAC, and 0 for an invalid frame.
 */
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

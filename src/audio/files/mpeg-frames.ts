import {
  anyTagBytes,
  bytesBeforeFoot,
  frameHeadAt,
  sureBytes,
  sureHeadAt,
  tagHeadBytes,
} from '../sniff/index.js';
import type { ScratchFile } from './scratch-file.js';
import { invalid } from './staging.js';

/** The frames found in a file of MPEG or ADTS frames. */
export interface FoundFrames {
  /**
   * Byte offsets at which rate, layer or channels change: the first frame of the new kind, or a tag directly before it.
   */
  readonly starts: readonly number[];
  /** Byte offset at which the frames end. Zeros behind the last frame are not included. */
  readonly end: number;
  /** Why audio is missing from the file; null if nothing suggests missing audio. */
  readonly incomplete: string | null;
}

/** Maximum number of frame heads that are read. This number of frames lasts over 10 h. */
const mostHeads = 2_000_000;
/** Number of bytes that are read at once. Searching them takes a few ms. */
const windowBytes = 49_152;
/** Maximum number of bytes before the first frame that are not audio. Some programs write tags with a wrong length. */
const mostBefore = 4096;
/** Maximum number of bytes behind the last frame that are not audio. */
const mostBehind = 64;

const isZero = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0);

class FrameWalk {
  #bytes: Buffer = Buffer.alloc(0);
  #from = 0;
  #heads = 0;
  #form: number | undefined;
  #incomplete: string | null = null;
  readonly #starts: number[];

  constructor(
    private readonly file: ScratchFile,
    start: number,
  ) {
    this.#starts = [start];
  }

  async walk(): Promise<FoundFrames> {
    const { size } = this.file;
    let at = this.#starts[0]!;
    /** Offset of the byte behind the last frame, or behind a tag that follows the last frame. */
    let end = at;
    let lastFrame = at;
    let tagAt: number | undefined;
    while (at < size) {
      const place = await this.#window(at);
      const head = this.#bytes.subarray(place, place + tagHeadBytes);
      const tag = anyTagBytes(head);
      const bytes = tag === 0 ? this.#frameAt(place, tagAt ?? at) : tag;
      if (bytes === 0) {
        at = this.#from + this.#next(place + 1);
        continue;
      }
      if (tag === 0 || at - end > bytesBeforeFoot(head)) this.#lost(end, at);
      tagAt = tag === 0 ? undefined : (tagAt ?? at);
      at += bytes;
      end = at;
      if (tag === 0) lastFrame = at;
    }
    if (this.#form === undefined) return { starts: this.#starts, end: size, incomplete: null };
    const isPadded = await this.#behind(end);
    return {
      starts: this.#starts,
      end: isPadded ? Math.min(lastFrame, size) : size,
      incomplete: this.#incomplete,
    };
  }

  /**
   * Returns the index in the buffer of a byte of the file. Reads more of the file if the buffer has too few bytes
   * behind that byte.
   */
  async #window(at: number): Promise<number> {
    const end = this.#from + this.#bytes.length;
    if (at < this.#from || (at + sureBytes > end && end < this.file.size)) {
      this.#bytes = await this.file.read(at, windowBytes);
      this.#from = at;
    }
    return at - this.#from;
  }

  /**
   * Returns the length in bytes of the frame at an index; 0 if no frame begins there. If the frame has another rate,
   * layer or channel count than before, several frames of its kind must follow it.
   */
  #frameAt(place: number, start: number): number {
    if (++this.#heads > mostHeads) throw invalid(`it has more than ${mostHeads} frames`);
    const head = frameHeadAt(this.#bytes, place);
    if (head === undefined) return 0;
    if (head.form === this.#form) return head.bytes;
    if (sureHeadAt(this.#bytes, place) === undefined) return 0;
    if (this.#form !== undefined) this.#starts.push(start);
    this.#form = head.form;
    return head.bytes;
  }

  /**
   * Returns the next index at which a frame or a tag may begin. Recognising a head needs bytes behind it, so the last
   * bytes of the buffer are read again later.
   */
  #next(place: number): number {
    const isLast = this.#from + this.#bytes.length >= this.file.size;
    const most = isLast ? this.#bytes.length : this.#bytes.length - sureBytes;
    for (let at = place; at < most; at++) {
      const byte = this.#bytes[at]!;
      // The four values are the first bytes of a frame, `ID3`, `TAG` and `APETAGEX`.
      if (byte === 0xff || byte === 0x49 || byte === 0x54 || byte === 0x41) return at;
    }
    return Math.max(place, most);
  }

  /** Reports bytes before the first frame or between two frames that belong to no frame. */
  #lost(from: number, to: number): void {
    const most = this.#form === undefined || from === this.#starts[0] ? mostBefore : 0;
    if (to - from > most) this.#incomplete ??= `bytes ${from} to ${to} of it are damaged`;
  }

  /**
   * Checks the bytes behind the last frame or tag.
   * @returns whether these bytes are only padding.
   */
  async #behind(from: number): Promise<boolean> {
    const { size } = this.file;
    if (size - from <= mostBehind) return false;
    for await (const piece of this.file.pieces(from))
      if (!isZero(piece)) {
        this.#incomplete ??= `bytes ${from} to ${size} of it are not readable audio`;
        return false;
      }
    return true;
  }
}

/**
 * Follows the frames of an MP3, MP2 or ADTS file from head to head. Finds frames of another rate, and bytes that belong
 * to no frame. A decoder would skip both silently. A file without consecutive frames is left to the decoder.
 * @param start byte at which the audio begins.
 * @throws CochleaError recording_invalid for a file with too many frames.
 */
export const walkFrames = (file: ScratchFile, start: number): Promise<FoundFrames> =>
  new FrameWalk(file, start).walk();

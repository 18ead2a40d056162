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
  /** Where rate, layer or channels change: the byte of the first such frame, or of a tag directly before it. */
  readonly starts: readonly number[];
  /** Where the frames end: zeros at the end of the file are left out. */
  readonly end: number;
  /** Why audio is missing; null unless there is a sign of missing audio. */
  readonly incomplete: string | null;
}

/** Most frame heads that are read: over 10 h of audio. */
const mostHeads = 2_000_000;
/** Bytes that are read at once: a few ms of work. */
const windowBytes = 49_152;
/** Bytes permitted before the first frame and behind the last one that are not audio. Some programs write tags with a wrong length. */
const mostBefore = 4096;
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
    /** End of the last frame, or of the tag behind it. */
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

  /** The index of a byte in the buffer. Reads on if the buffer has too few bytes behind it for a head. */
  async #window(at: number): Promise<number> {
    const end = this.#from + this.#bytes.length;
    if (at < this.#from || (at + sureBytes > end && end < this.file.size)) {
      this.#bytes = await this.file.read(at, windowBytes);
      this.#from = at;
    }
    return at - this.#from;
  }

  /** Bytes of the frame at a place; 0 if there is none. A frame of another form counts only if several follow one another. */
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

  /** The next place where a frame or a tag may begin. A head needs the bytes behind it, so the last bytes of the buffer are read again. */
  #next(place: number): number {
    const isLast = this.#from + this.#bytes.length >= this.file.size;
    const most = isLast ? this.#bytes.length : this.#bytes.length - sureBytes;
    for (let at = place; at < most; at++) {
      const byte = this.#bytes[at]!;
      // First bytes of a frame, `ID3`, `TAG` and `APETAGEX`.
      if (byte === 0xff || byte === 0x49 || byte === 0x54 || byte === 0x41) return at;
    }
    return Math.max(place, most);
  }

  /** Records bytes between two frames, or before the first, that belong to no frame. */
  #lost(from: number, to: number): void {
    const most = this.#form === undefined || from === this.#starts[0] ? mostBefore : 0;
    if (to - from > most) this.#incomplete ??= `bytes ${from} to ${to} of it are damaged`;
  }

  /** Checks the bytes behind the last frame or tag. @returns whether they are padding. */
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
 * Follows the frames of an MP3, MP2 or ADTS file from head to head. Finds what a decoder skips silently: frames of
 * another rate, and bytes between frames. A file without consecutive frames is left to the decoder.
 * @param start byte at which the audio begins.
 * @throws CochleaError recording_invalid for a file of too many frames.
 */
export const walkFrames = (file: ScratchFile, start: number): Promise<FoundFrames> =>
  new FrameWalk(file, start).walk();

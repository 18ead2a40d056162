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

/** What lies in a file of MPEG or ADTS frames. */
export interface FoundFrames {
  /** Where frames begin whose rate, layer or channels are others than before: at the tag before them, where they have one. */
  readonly starts: readonly number[];
  /** Where they end: before zeros at the end of the file. */
  readonly end: number;
  /** Why audio is missing; null where nothing shows that any is. */
  readonly incomplete: string | null;
}

/** Heads that are looked at: those of more than 10 h. */
const mostHeads = 2_000_000;
/** Bytes that are read at once: a few ms of work. */
const windowBytes = 49_152;
/** Bytes that are no audio before the first frame and behind the last one: of a tag whose length is wrong, as some programs write. */
const mostBefore = 4096;
const mostBehind = 64;

const isZero = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0);

class FrameWalk {
  readonly #file: ScratchFile;
  #bytes: Buffer = Buffer.alloc(0);
  #from = 0;
  #heads = 0;
  #form: number | undefined;
  #incomplete: string | null = null;
  readonly #starts: number[];

  constructor(file: ScratchFile, start: number) {
    this.#file = file;
    this.#starts = [start];
  }

  async walk(): Promise<FoundFrames> {
    const { size } = this.#file;
    let at = this.#starts[0]!;
    /** Where the last frame ends, or the tag behind it. */
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

  /** The place of a byte within those at hand, with all behind it that its heads need. */
  async #window(at: number): Promise<number> {
    const end = this.#from + this.#bytes.length;
    if (at < this.#from || (at + sureBytes > end && end < this.#file.size)) {
      this.#bytes = await this.#file.read(at, windowBytes);
      this.#from = at;
    }
    return at - this.#from;
  }

  /** Bytes of the frame at a place; 0 where none is. Frames of another form count where several follow one another. */
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

  /** The next place at which a frame or a tag may begin. Each needs what lies behind it: the last bytes at hand are read again. */
  #next(place: number): number {
    const isLast = this.#from + this.#bytes.length >= this.#file.size;
    const most = isLast ? this.#bytes.length : this.#bytes.length - sureBytes;
    for (let at = place; at < most; at++) {
      const byte = this.#bytes[at]!;
      // A frame, `ID3`, `TAG` and `APETAGEX`.
      if (byte === 0xff || byte === 0x49 || byte === 0x54 || byte === 0x41) return at;
    }
    return Math.max(place, most);
  }

  /** Bytes between two frames, or before the first, belong to none. */
  #lost(from: number, to: number): void {
    const most = this.#form === undefined || from === this.#starts[0] ? mostBefore : 0;
    if (to - from > most) this.#incomplete ??= `bytes ${from} to ${to} of it are damaged`;
  }

  /** Looks at what lies behind the last frame or tag. @returns whether it is padding. */
  async #behind(from: number): Promise<boolean> {
    const { size } = this.#file;
    if (size - from <= mostBehind) return false;
    for await (const piece of this.#file.pieces(from))
      if (!isZero(piece)) {
        this.#incomplete ??= `bytes ${from} to ${size} of it are no audio that can be read`;
        return false;
      }
    return true;
  }
}

/**
 * Follows the frames of an MP3, MP2 or ADTS file from head to head, for what a decoder leaves out in silence: frames of another rate, and
 * bytes between frames. A file without frames that follow one another is left to the decoder.
 * @param start byte at which it begins.
 * @throws CochleaError recording_invalid for a file of too many frames.
 */
export const walkFrames = (file: ScratchFile, start: number): Promise<FoundFrames> =>
  new FrameWalk(file, start).walk();

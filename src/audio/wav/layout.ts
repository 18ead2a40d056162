import { CochleaError } from '../../errors/index.js';
import { anyTagBytes, containerOf, sureBytes, sureHeadAt, tagHeadBytes } from '../sniff/index.js';
import { areSamplesKnown, frameBytes, type WavFormat } from './samples.js';

/** A range of bytes in a file; `end` is exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Position and format of the samples in a WAV file. */
export interface WavLayout {
  readonly format: WavFormat;
  /** The body of the file's `fmt ` chunk. */
  readonly formatChunk: Uint8Array;
  /**
   * Byte ranges of the samples, in the order of the file. Each range consists of complete samples of all channels, or
   * of complete blocks of a compressed format.
   */
  readonly ranges: readonly ByteRange[];
  /** Why audio is missing from the file; null if nothing suggests missing audio. */
  readonly incomplete: string | null;
}

/** The bytes that the walk through a file needs next. At the end of the file, the caller may pass fewer. */
export interface WantedBytes {
  readonly at: number;
  readonly bytes: number;
}

type Reading<Result> = Generator<WantedBytes, Result, Uint8Array>;

const extensibleTag = 0xfffe;
const headerBytes = 12;
const chunkHead = 8;
/** Maximum number of bytes that are read of a `fmt ` chunk. */
const formatBytes = 1024;
/** Format tags with blocks of fixed length: ADPCM of Microsoft, IMA and Yamaha, and GSM. */
const blockTags: ReadonlySet<number> = new Set([0x02, 0x11, 0x20, 0x31]);
/** Maximum number of chunks that are read. */
const mostChunks = 1000;
/**
 * Declared lengths from this number of bytes on mean "unknown". Programs that write to a pipe declare about 2 or 4 GiB.
 */
const openSize = 0x7fff0000;
/** Maximum number of bytes behind the last chunk that count as padding. */
const mostPadding = 64;
/** Number of bytes that are checked for padding at once. */
const zeroBytes = 65_536;
const knownNames: ReadonlySet<string> = new Set(['data', 'fmt ', 'LIST', 'fact', 'id3 ']);

const textOf = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to));

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Checks whether bytes are the head of a RIFF WAVE file, including its variants with 64-bit sizes and with big-endian numbers. */
const isWavHead = (bytes: Uint8Array): boolean =>
  bytes.length >= headerBytes &&
  ['RIFF', 'RF64', 'BW64', 'RIFX'].includes(textOf(bytes, 0, 4)) &&
  textOf(bytes, 8, 12) === 'WAVE';

class WavWalk {
  #format: WavFormat | undefined;
  #formatChunk: Uint8Array = new Uint8Array(0);
  #isBigEndian = false;
  /** Number of bytes of samples that a `ds64` chunk declares. */
  #longSize: number | undefined;
  #incomplete: string | null = null;
  #chunks = 0;
  /** Whether a tag follows the last samples. Bytes behind such a tag are not samples. */
  #isTagged = false;
  readonly #ranges: ByteRange[] = [];

  constructor(
    private readonly length: number,
    private readonly path: string,
  ) {}

  *walk(from: number): Reading<WavLayout> {
    if (!isWavHead(yield { at: from, bytes: headerBytes })) this.#refuse('no RIFF WAVE header');
    for (let at = from; at + chunkHead <= this.length; ) {
      if (++this.#chunks > mostChunks) this.#refuse(`more than ${mostChunks} chunks`);
      const head = yield { at, bytes: headerBytes };
      if (isWavHead(head)) {
        this.#beginFile(head);
        at += headerBytes;
        continue;
      }
      if (this.#ranges.length === 0) {
        at = yield* this.#readChunk(head, at);
        continue;
      }
      const next = yield* this.#behindSamples(head, at);
      if (next === null) break;
      at = next;
    }
    const format = this.#format;
    if (format === undefined || this.#ranges.length === 0) return this.#refuse('no samples');
    const { channels, rate } = format;
    if (channels < 1 || channels > 32) this.#refuse(`${channels} channels`);
    if (rate < 4000 || rate > 192_000) this.#refuse(`a rate of ${rate} Hz`);
    return { format, formatChunk: this.#formatChunk, ranges: this.#ranges, incomplete: this.#incomplete };
  }

  #beginFile(head: Uint8Array): void {
    this.#isBigEndian = textOf(head, 0, 4) === 'RIFX';
    this.#isTagged = false;
    this.#longSize = undefined;
  }

  /**
   * Reads a chunk.
   * @returns the byte at which the next chunk begins.
   */
  *#readChunk(head: Uint8Array, at: number): Reading<number> {
    const start = at + chunkHead;
    const size = this.#sizeOf(head);
    const name = textOf(head, 0, 4);
    if (name === 'ds64') {
      const sizes = yield { at: start, bytes: 16 };
      if (sizes.length === 16) this.#longSize = Number(viewOf(sizes).getBigUint64(8, true));
    }
    if (name === 'fmt ') {
      this.#takeFormat(yield { at: start, bytes: Math.min(size, formatBytes) });
    }
    if (name === 'data') {
      if (this.#format === undefined) this.#refuse('no format before the samples');
      const end = this.#endOfSamples(start, size);
      this.#takeSamples(start, end);
      return yield* this.#behind(start, end - start);
    }
    return yield* this.#behind(start, size);
  }

  #takeFormat(bytes: Uint8Array): void {
    if (bytes.length < 16) this.#refuse('its format chunk is too short');
    const view = viewOf(bytes);
    const isLittle = !this.#isBigEndian;
    const tag = view.getUint16(0, isLittle);
    const format = {
      // In the extensible format, the sub-format begins with the real format tag.
      tag: tag === extensibleTag && bytes.length >= 26 ? view.getUint16(24, isLittle) : tag,
      channels: view.getUint16(2, isLittle),
      rate: view.getUint32(4, isLittle),
      bits: view.getUint16(14, isLittle),
      isBigEndian: this.#isBigEndian,
    };
    const known = this.#format;
    const isOther = (['tag', 'channels', 'rate', 'bits', 'isBigEndian'] as const).some(
      (name) => known?.[name] !== format[name],
    );
    if (this.#ranges.length > 0 && isOther) this.#refuse('its parts have several formats');
    if (format.isBigEndian && !areSamplesKnown(format)) this.#refuse(`big-endian samples of format ${tag}`);
    this.#format = format;
    this.#formatChunk = new Uint8Array(bytes);
  }

  /**
   * Returns the byte at which the samples end. A recorder that was interrupted, or that wrote to a pipe, could not
   * write the right length.
   */
  #endOfSamples(start: number, declared: number): number {
    const size = declared === 0xffffffff && this.#longSize !== undefined ? this.#longSize : declared;
    const there = this.length - start;
    if (size <= there) return start + size;
    if (size < openSize) this.#incomplete = 'it ends before its last sample';
    return this.length;
  }

  #takeSamples(start: number, end: number): void {
    const width = this.#blockBytes(this.#format!);
    this.#ranges.push({ start, end: start + Math.floor((end - start) / width) * width });
  }

  /** Returns the number of bytes of one sample of all channels, or of one block of a compressed format. */
  #blockBytes(format: WavFormat): number {
    if (areSamplesKnown(format)) return Math.max(1, frameBytes(format));
    if (!blockTags.has(format.tag)) return 1;
    return Math.max(1, viewOf(this.#formatChunk).getUint16(12, true));
  }

  /**
   * Reads a chunk or a tag behind the samples.
   * @returns the byte at which the next chunk or tag begins; null if there is none.
   */
  *#behindSamples(head: Uint8Array, at: number): Reading<number | null> {
    const beginning = yield { at, bytes: tagHeadBytes };
    const tag = this.#tagBytes(beginning, at);
    if (tag > 0) {
      this.#isTagged = true;
      return at + tag;
    }
    if (yield* this.#isOtherFile(beginning, at)) this.#leaveRest(at);
    else if (this.#isChunk(head, at)) return yield* this.#readChunk(head, at);
    else if (!this.#isTagged) this.#takeRest(at);
    else if (this.length - at > mostPadding && !(yield* this.#isZero(at))) this.#leaveRest(at);
    return null;
  }

  /**
   * Returns the length in bytes of a music program's tag; 0 if there is none. The letters of a tag may look like the
   * name of a chunk.
   */
  #tagBytes(bytes: Uint8Array, at: number): number {
    const tag = anyTagBytes(bytes);
    const isLast = textOf(bytes, 0, 3) === 'TAG' && this.length - at - tag <= mostPadding;
    return isLast || !this.#isChunk(bytes, at) ? tag : 0;
  }

  /**
   * Returns whether a file of another format than WAV begins here. Samples may look like one frame of MPEG audio, but
   * not like several.
   */
  *#isOtherFile(bytes: Uint8Array, at: number): Reading<boolean> {
    const form = containerOf(bytes);
    if (form !== 'mp3' && form !== 'aac') return form !== null;
    return sureHeadAt(yield { at, bytes: sureBytes }, 0) !== undefined;
  }

  *#isZero(from: number): Reading<boolean> {
    for (let at = from; at < this.length; at += zeroBytes)
      if ((yield { at, bytes: zeroBytes }).some((byte) => byte !== 0)) return false;
    return true;
  }

  #leaveRest(at: number): void {
    this.#incomplete ??= `bytes ${at} to ${this.length} behind the audio were not read`;
  }

  /** If bytes behind the samples are no chunk, they count as samples. Some programs declare too few samples. */
  #takeRest(at: number): void {
    if (this.length - at <= mostPadding) return;
    const { start } = this.#ranges.pop()!;
    this.#takeSamples(start, this.length);
  }

  /**
   * Returns the byte at which the next chunk begins. Chunks have an even length, but some programs omit the padding
   * byte.
   */
  *#behind(start: number, size: number): Reading<number> {
    const at = start + size;
    if ((size & 1) === 0) return at;
    const head = yield { at, bytes: headerBytes };
    return head[0] !== 0 && (isWavHead(head) || this.#isChunk(head, at)) ? at : at + 1;
  }

  /** Checks whether bytes may be the head of a chunk: four letters, and a length within the file. */
  #isChunk(head: Uint8Array, at: number): boolean {
    if (head.length < chunkHead) return false;
    const name = textOf(head, 0, 4);
    if (!/^[\x20-\x7e]{4}$/.test(name)) return false;
    return knownNames.has(name) || at + chunkHead + this.#sizeOf(head) <= this.length;
  }

  #sizeOf(head: Uint8Array): number {
    return viewOf(head).getUint32(4, !this.#isBigEndian);
  }

  #refuse(why: string): never {
    throw new CochleaError('audio_file_unsupported', { path: this.path, why });
  }
}

/**
 * Finds the samples of a RIFF WAVE file, or of several appended files. Each step yields the bytes that the walk needs,
 * and the caller passes them in. If a file of another format follows the samples, it is not read, and `incomplete`
 * reports it.
 *
 * The declared length of the samples may be 0, about 2 or 4 GiB, or too short. The samples then extend to the end of
 * the file. Sources of the layout: "Multimedia Programming Interface and Data Specifications 1.0", RIFF WAVE; EBU Tech
 * 3306, RF64.
 * @param length length in bytes of the file.
 * @param path name of the file in errors.
 * @param from byte at which the WAVE data begins, behind tags of other programs.
 * @throws CochleaError `audio_file_unsupported` for a file without samples, with more than 32 channels, or with a rate
 * outside 4000..192,000 Hz. Also for a file whose parts differ in format.
 */
export const walkWav = (length: number, path: string, from = 0): Reading<WavLayout> =>
  new WavWalk(length, path).walk(from);

import { fixedLimits } from '../../config/limits/index.js';
import { type Container, containerOf, sniffedBytes } from '../sniff/index.js';
import type { ByteRange } from '../wav/index.js';
import { walkFrames } from './mpeg-frames.js';
import type { ScratchFile } from './scratch-file.js';
import { invalid } from './staging.js';

/**
 * The result of the search for files that are joined in one file. Users join recordings by appending one file to
 * another.
 */
export interface FoundParts {
  readonly parts: readonly ByteRange[];
  /** Why audio is missing from the file; null if nothing suggests missing audio. */
  readonly incomplete: string | null;
  /** Length fields of the file that contain a wrong length, each with the right length. */
  readonly lengths: readonly FoundLength[];
}

/** A length field of the file that contains a wrong length, and the right length. */
export interface FoundLength {
  /** Byte offset of the length field, which is a big-endian number of 64 bits. */
  readonly at: number;
  readonly bytes: number;
}

interface Walked {
  /** Byte offsets at which the joined files begin. */
  readonly starts: readonly number[];
  readonly lengths?: readonly FoundLength[];
  /** Byte offset at which the last joined file ends; absent if it is the end of the whole file. */
  readonly end?: number;
  /** Why audio is missing from the file; null if nothing suggests missing audio. */
  readonly incomplete: string | null;
}

const nothingFound = (start: number): Walked => ({ starts: [start], incomplete: null });
/** Returns the reason for missing audio when the last joined file states more bytes than are present. */
const cutIf = (isCut: boolean): string | null => (isCut ? 'it is cut off' : null);

type Walk = (file: ScratchFile, start: number) => Promise<Walked>;

const mostParts = fixedLimits.joinedFiles.value;
/** Maximum number of boxes or chunks that are read in one file. */
const mostBoxes = 50_000;
/** Lengths from this number of bytes on mean "unknown", because the program did not know how much it would write. */
const openSize = 0x7fff0000;
const boxHead = 24;

/** Checks the number of joined files. @throws CochleaError recording_invalid for more than the limit permits. */
export const checkParts = (count: number): void => {
  if (count > mostParts) throw invalid(`it consists of more than ${mostParts} files`);
};

const asciiAt = (bytes: Buffer, from: number): string => bytes.toString('latin1', from, from + 4);

/**
 * Reads the heads of boxes or chunks in a file, from `start` to the end of the file. `next` receives each head and
 * returns the position of the following head. Returns the last position.
 */
const walkHeads = async (
  file: ScratchFile,
  start: number,
  next: (head: Buffer, at: number) => number | Promise<number>,
): Promise<number> => {
  let at = start;
  for (let count = 0; at + 8 <= file.size; count++) {
    if (count > mostBoxes) throw invalid(`it has more than ${mostBoxes} boxes`);
    at = await next(await file.read(at, boxHead), at);
  }
  return at;
};

/**
 * Returns the length of an MP4 box in bytes; 0 for a box that extends to the end of the file. Source: ISO/IEC 14496-12,
 * section 4.2.
 */
const boxBytes = (head: Buffer): number => {
  const size = head.readUInt32BE(0);
  if (size !== 1) return size;
  return head.length < 16 ? 0 : Number(head.readBigUInt64BE(8));
};

const walkMp4: Walk = async (file, start) => {
  const starts = [start];
  let hasMedia = false;
  const end = await walkHeads(file, start, (head, at) => {
    const type = asciiAt(head, 4);
    if (!/^[\x20-\x7e\xa9]{4}$/.test(type)) return file.size;
    if (type === 'ftyp' && hasMedia) {
      starts.push(at);
      hasMedia = false;
    }
    hasMedia ||= ['moov', 'mdat', 'moof'].includes(type);
    const bytes = boxBytes(head);
    return bytes < 8 ? file.size : at + bytes;
  });
  return { starts, incomplete: cutIf(end > file.size) };
};

/** The first bytes of a CAF file, including the type of its first chunk. */
const cafMark = 'caff\0\x01\0\0desc';
/**
 * Lengths in a CAF file: bytes of a chunk's head, and bytes of the edit count before the samples. `packetBytesAt`:
 * offset of the packet size in the description chunk.
 */
const caf = { chunkHead: 12, editCount: 4, packetBytesAt: 28 } as const;

/** Returns the first position of a text at or behind `from`; the end of the file if the text is absent. */
const findText = async (file: ScratchFile, from: number, text: string): Promise<number> => {
  let rest = Buffer.alloc(0);
  let at = from;
  for await (const piece of file.pieces(from)) {
    const bytes = Buffer.concat([rest, piece]);
    const found = bytes.indexOf(text, 0, 'latin1');
    if (found >= 0) return at + found;
    rest = Buffer.from(bytes.subarray(Math.max(0, bytes.length - text.length + 1)));
    at += bytes.length - rest.length;
  }
  return file.size;
};

/**
 * Finds CAF files that are joined in one file. The chunk length -1 means that the samples extend to the end of the
 * file. For such a file, ffmpeg reports the last packet as damaged and reads no packets over 4 KiB. So this function
 * finds the real length, if that length is a multiple of the packet size. Source: Apple Core Audio Format specification
 * 1.0, chunk headers and audio data chunk.
 */
const walkCaf: Walk = async (file, start) => {
  const starts: number[] = [];
  const lengths: FoundLength[] = [];
  let packetBytes = 0;
  const end = await walkHeads(file, start, async (head, at) => {
    const type = asciiAt(head, 0);
    if (type === 'caff') {
      starts.push(at);
      packetBytes = 0;
    }
    if (type === 'caff' || head.length < caf.chunkHead) return at + 8;
    const bytes = Number(head.readBigInt64BE(4));
    const body = at + caf.chunkHead;
    if (type === 'desc') {
      const field = await file.read(at + caf.packetBytesAt, 4);
      packetBytes = field.length < 4 ? 0 : field.readUInt32BE(0);
    }
    if (bytes >= 0) return body + bytes;
    const next = await findText(file, body, cafMark);
    const samples = next - body - caf.editCount;
    // The packet size is 0 if packets vary in length. The packet table of such a file shows whether audio is missing.
    const isWhole = packetBytes === 0 || samples % packetBytes === 0;
    if (type === 'data' && samples > 0 && isWhole) lengths.push({ at: at + 4, bytes: next - body });
    return next;
  });
  return { starts, lengths, incomplete: cutIf(end > file.size) };
};

/**
 * Finds joined files whose format states the length of each file in its first length field.
 * @param endOf returns the end of a file according to its length field; infinite if unknown.
 */
const walkWhole =
  (container: Container, endOf: (head: Buffer, at: number) => number): Walk =>
  async (file, start) => {
    const starts = [start];
    const end = await walkHeads(file, start, (head, at) => {
      if (at !== start) {
        if (containerOf(head.subarray(0, sniffedBytes)) !== container) return file.size;
        starts.push(at);
      }
      return endOf(head, at);
    });
    return { starts, incomplete: cutIf(end > file.size && end < Number.POSITIVE_INFINITY) };
  };

/** Reads the length in the FORM chunk. Source: Apple AIFF specification 1.3. */
const walkAiff = walkWhole('aiff', (head, at) => {
  const size = head.readUInt32BE(4);
  return size === 0 || size >= openSize ? Number.POSITIVE_INFINITY : at + 8 + size + (size & 1);
});

/** Reads the length behind the first identifier, which has 16 bytes. Source: Sonic Foundry, "Sony Wave64 format". */
const walkW64 = walkWhole('w64', (head, at) => {
  const size = head.length < 24 ? 0 : Number(head.readBigUInt64LE(16));
  return size === 0 || size > Number.MAX_SAFE_INTEGER
    ? Number.POSITIVE_INFINITY
    : at + Math.ceil(size / 8) * 8;
});

/** Returns the bytes and the value of an EBML number; the value is null for an unknown length. Source: RFC 8794, sections 4 and 6. */
const ebmlNumber = (bytes: Buffer, at: number): { readonly bytes: number; readonly value: number | null } => {
  const length = Math.clz32(bytes[at] ?? 0) - 23;
  if (length > 8 || at + length > bytes.length) return { bytes: 1, value: null };
  const digits = [...bytes.subarray(at, at + length)];
  digits[0]! &= 0xff >> length;
  const isOpen = digits.every((digit, index) => digit === (index === 0 ? 0xff >> length : 0xff));
  return { bytes: length, value: isOpen ? null : digits.reduce((sum, digit) => sum * 256 + digit, 0) };
};

const segment = 0x18538067;
const cluster = 0x1f43b675;
/** Number of bytes that are read at once. It is large because the heads of elements lie close together. */
const windowBytes = 65_536;

/**
 * Checks whether an element of WebM extends beyond the end of the file. Does not look for joined files, because ffmpeg
 * reads all of them.
 *
 * A recorder that writes to a pipe leaves the lengths of WebM segments and clusters unknown. In this case the walk
 * continues with the elements inside them.
 */
const walkWebm: Walk = async (file, start) => {
  const whole = nothingFound(start);
  let window: Buffer = Buffer.alloc(0);
  let windowAt = start;
  let at = start;
  for (let count = 0; at + 2 <= file.size; count++) {
    // Stops, but does not refuse the file, because ffmpeg can also read a file with more elements.
    if (count > 4 * mostBoxes) return whole;
    if (at + boxHead > windowAt + window.length) {
      windowAt = at;
      window = await file.read(at, windowBytes);
    }
    const head = window.subarray(at - windowAt, at - windowAt + boxHead);
    const idBytes = Math.clz32(head[0] ?? 0) - 23;
    if (idBytes > 4 || head.length <= idBytes) return whole;
    const id = head.readUIntBE(0, idBytes);
    const { bytes, value } = ebmlNumber(head, idBytes);
    at += idBytes + bytes;
    if (id === segment || (id === cluster && value === null)) {
      if (value !== null && at + value > file.size) return { starts: [start], incomplete: cutIf(true) };
    } else if (value === null) return whole;
    else at += value;
  }
  return { starts: [start], incomplete: cutIf(at > file.size) };
};

/** Finds joined files whose format has no length fields. Recognises each file by its first bytes. */
const walkMarks =
  (mark: string, isFirst: (head: Buffer) => boolean): Walk =>
  async (file, start) => {
    const starts: number[] = [];
    const overlap = sniffedBytes;
    let rest = Buffer.alloc(0);
    let at = start;
    const look = (bytes: Buffer, last: number): void => {
      for (
        let found = bytes.indexOf(mark);
        found >= 0 && found < last;
        found = bytes.indexOf(mark, found + 1)
      ) {
        if (!isFirst(bytes.subarray(found, found + overlap))) continue;
        starts.push(at + found);
        checkParts(starts.length);
      }
    };
    for await (const piece of file.pieces(start)) {
      const bytes = Buffer.concat([rest, piece]);
      const last = Math.max(0, bytes.length - overlap);
      look(bytes, last);
      rest = Buffer.from(bytes.subarray(last));
      at += last;
    }
    look(rest, rest.length);
    return { starts: starts[0] === start ? starts : [start, ...starts], incomplete: null };
  };

/** Matches the mark and the head of the first metadata block, which has 34 bytes. Source: RFC 9639, sections 6 and 8.1. */
const walkFlac = walkMarks('fLaC', (head) => (head[4]! & 0x7f) === 0 && head.readUIntBE(5, 3) === 34);
const walkAmr = walkMarks('#!AMR', (head) => /^#!AMR(-WB)?\n/.test(head.toString('latin1')));

const walks: Partial<Record<Container, Walk>> = {
  mp4: walkMp4,
  caf: walkCaf,
  aiff: walkAiff,
  w64: walkW64,
  webm: walkWebm,
  flac: walkFlac,
  amr: walkAmr,
  aac: walkFrames,
  mp3: walkFrames,
};

/**
 * Finds the files that are joined in one file, and whether the last of them is cut off. ffmpeg alone would read only
 * one of them.
 * @param start byte at which the first joined file begins.
 * @throws CochleaError recording_invalid for a file with too many boxes, frames or joined files.
 */
export const partsOf = async (
  file: ScratchFile,
  container: Container,
  start: number,
): Promise<FoundParts> => {
  const {
    starts,
    incomplete,
    lengths = [],
    end = file.size,
  } = (await walks[container]?.(file, start)) ?? nothingFound(start);
  return {
    parts: starts.map((from, index) => ({ start: from, end: starts[index + 1] ?? end })),
    incomplete,
    lengths,
  };
};

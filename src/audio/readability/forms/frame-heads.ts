import { mostCommon, nearlyAll } from './byte-statistics.js';

/** Maximum length in bytes of a radio header. */
export const longestHeader = 16;
/**
 * Maximum number of bytes in a header that change like a counter. If more bytes do, they are samples of a slow ramp.
 */
const mostCounters = 3;
/** Minimum number of frames that prove a header. */
const fewestFrames = 30;

/** Returns the frames that are longer than the longest header. */
const withBody = (frames: readonly Uint8Array[]): readonly Uint8Array[] =>
  frames.filter(({ length }) => length > longestHeader);

/**
 * Finds a byte that changes by the same step from each frame to the next, like a counter. In audio this hardly happens
 * 30 times by chance.
 * @returns the offset of this byte in the frames; null if there is none.
 */
export const counterIn = (frames: readonly Uint8Array[]): number | null => {
  const long = withBody(frames);
  if (long.length < fewestFrames) return null;
  const places: number[] = [];
  for (let place = 0; place < longestHeader; place++) if (counts(long, place)) places.push(place);
  return places.length > mostCounters ? null : (places[0] ?? null);
};

const stepAt = (frames: readonly Uint8Array[], index: number, place: number): number =>
  (frames[index]![place]! - frames[index - 1]![place]!) & 0xff;

/**
 * Returns whether the byte at an offset is a counter. Tries only the steps between the first frames, so that it rejects
 * other bytes early.
 */
const counts = (frames: readonly Uint8Array[], place: number): boolean => {
  const others = Math.floor((1 - nearlyAll) * (frames.length - 1));
  for (let first = 1; first <= others + 1; first++) {
    const step = stepAt(frames, first, place);
    // The high byte of a counter hardly changes, but bytes of silence do not change either. So the step 0 proves
    // nothing.
    if (step === 0) continue;
    let left = others;
    for (let index = 1; index < frames.length && left >= 0; index++)
      if (stepAt(frames, index, place) !== step) left--;
    if (left >= 0) return true;
  }
  return false;
};

/** Returns the number of bytes at the beginning of the frames that are equal in nearly all frames. */
export const constantBytes = (frames: readonly Uint8Array[]): number => {
  const long = withBody(frames);
  if (long.length < fewestFrames) return 0;
  for (let place = 0; place < longestHeader; place++) {
    if (mostCommon(long.map((frame) => frame[place]!)).share < nearlyAll) return place;
  }
  return longestHeader;
};

/** Properties at the beginning of frames which indicate that the frames have a header. */
export interface HeadMarks {
  /** Offset of a byte that is a counter; null if there is none. */
  readonly counter: number | null;
  /** Number of bytes at the beginning that never change. */
  readonly constant: number;
}

export const marksOf = (frames: readonly Uint8Array[]): HeadMarks => ({
  counter: counterIn(frames),
  constant: constantBytes(frames),
});

/** Returns whether frames probably have a header: a counter, or at least two bytes that never change. */
export const isMarked = ({ counter, constant }: HeadMarks): boolean => counter !== null || constant >= 2;

/** Messages that consist of packets, each with its length before it. */
export interface Prefixed {
  /** Number of bytes in a length field. */
  readonly bytes: 1 | 2 | 4;
  readonly packets: readonly Uint8Array[];
  /** Whether the lengths alone prove this layout, even if the packets do not decode. */
  readonly isSure: boolean;
}

/** Minimum number of messages that prove a length field of one byte (`short`) or of several bytes (`long`). */
const fewestPrefixed = { short: fewestFrames, long: 10 } as const;
/**
 * Maximum share of messages with the same length, for a length field of one byte. With a larger share, the byte may be
 * any constant byte.
 */
const variedLengths = 0.8;

const readLength = (frame: Uint8Array, at: number, bytes: number, little: boolean): number => {
  let value = 0;
  for (let index = 0; index < bytes; index++)
    value = value * 256 + frame[at + (little ? bytes - 1 - index : index)]!;
  return value;
};

const cut = (frame: Uint8Array, bytes: number, little: boolean): Uint8Array[] | null => {
  const packets: Uint8Array[] = [];
  let at = 0;
  while (at < frame.length) {
    if (at + bytes > frame.length) return null;
    const length = readLength(frame, at, bytes, little);
    at += bytes;
    if (length === 0 || at + length > frame.length) return null;
    packets.push(frame.subarray(at, at + length));
    at += length;
  }
  return packets;
};

/**
 * Splits all messages into packets by one kind of length field. Null if too many messages cannot be split; the search
 * then stops early.
 */
const cutAll = (frames: readonly Uint8Array[], bytes: number, little: boolean): Uint8Array[] | null => {
  let left = Math.floor((1 - nearlyAll) * frames.length);
  const all: Uint8Array[] = [];
  for (const frame of frames) {
    const packets = cut(frame, bytes, little);
    if (packets !== null) all.push(...packets);
    else if (--left < 0) return null;
  }
  return all;
};

/**
 * Splits messages that consist of packets, each with its length before it, as in a file of frames.
 * @returns null if most messages do not have this layout.
 */
export const prefixedPackets = (frames: readonly Uint8Array[]): Prefixed | null => {
  for (const bytes of [4, 2, 1] as const) {
    if (frames.length < (bytes === 1 ? fewestPrefixed.short : fewestPrefixed.long)) continue;
    for (const little of [true, false]) {
      const packets = cutAll(frames, bytes, little);
      if (packets !== null) return { bytes, packets, isSure: bytes > 1 || isVaried(frames) };
    }
  }
  return null;
};

const isVaried = (frames: readonly Uint8Array[]): boolean =>
  mostCommon(frames.map(({ length }) => length)).share <= variedLengths;

/**
 * Splits messages like `prefixedPackets`, but only if the lengths alone prove this layout. Two bytes of audio do not
 * equal the number of remaining bytes in one message after another.
 */
export const surelyPrefixed = (frames: readonly Uint8Array[]): Prefixed | null => {
  const prefixed = prefixedPackets(frames);
  return prefixed?.isSure ? prefixed : null;
};

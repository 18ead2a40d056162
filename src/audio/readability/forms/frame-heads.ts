import { mostCommon, nearlyAll } from './byte-statistics.js';

/** Bytes that a radio header may have. */
export const longestHeader = 16;
/** Bytes of a header that count. More of them are samples of a slow ramp. */
const mostCounters = 3;
/** Frames that show one. */
const fewestFrames = 30;

/** Frames that are long enough to have a header and something behind it. */
const withBody = (frames: readonly Uint8Array[]): readonly Uint8Array[] =>
  frames.filter(({ length }) => length > longestHeader);

/**
 * Finds a byte that changes by the same step from each frame to the next, as a counter does.
 * Audio has none: a byte of it would have to do so by chance 30 times or more.
 * @returns its place in the frames, null without one.
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

/** Whether the byte at a place is a counter. Only steps near the beginning are tried, so that other bytes are ruled out soon. */
const counts = (frames: readonly Uint8Array[], place: number): boolean => {
  const others = Math.floor((1 - nearlyAll) * (frames.length - 1));
  for (let first = 1; first <= others + 1; first++) {
    const step = stepAt(frames, first, place);
    // The high byte of a counter stands still, and so may any byte of silence.
    if (step === 0) continue;
    let left = others;
    for (let index = 1; index < frames.length && left >= 0; index++)
      if (stepAt(frames, index, place) !== step) left--;
    if (left >= 0) return true;
  }
  return false;
};

/** How many bytes at the beginning of the frames are the same in nearly all of them. */
export const constantBytes = (frames: readonly Uint8Array[]): number => {
  const long = withBody(frames);
  if (long.length < fewestFrames) return 0;
  for (let place = 0; place < longestHeader; place++) {
    if (mostCommon(long.map((frame) => frame[place]!)).share < nearlyAll) return place;
  }
  return longestHeader;
};

/** What the beginnings of frames say about a header. */
export interface HeadMarks {
  /** Place of a counter; null without one. */
  readonly counter: number | null;
  /** Bytes at the beginning that are always the same. */
  readonly constant: number;
}

export const marksOf = (frames: readonly Uint8Array[]): HeadMarks => ({
  counter: counterIn(frames),
  constant: constantBytes(frames),
});

/** Whether frames have a header in all likelihood: a counter, or more bytes that stand still than the first. */
export const isMarked = ({ counter, constant }: HeadMarks): boolean => counter !== null || constant >= 2;

/** Packets that each have their length before them. */
export interface Prefixed {
  /** Bytes of a length. */
  readonly bytes: 1 | 2 | 4;
  readonly packets: readonly Uint8Array[];
  /** Whether the lengths alone show it, whatever the messages decode to. */
  readonly isSure: boolean;
}

/** Messages that show a length of one byte, and one of more bytes. */
const fewestPrefixed = { short: fewestFrames, long: 10 } as const;
/** Share of messages of one length up to which a length of one byte is no other byte that stands still. */
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

/** The packets of messages in one form; null where more than a few messages have another. Ends with the first of those. */
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

/** Reads messages that consist of packets with their lengths before them, as in a file of frames; null where nearly all are none. */
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

/** The same where the lengths alone show it. Two bytes of audio do not equal the length of the rest in one message after another. */
export const surelyPrefixed = (frames: readonly Uint8Array[]): Prefixed | null => {
  const prefixed = prefixedPackets(frames);
  return prefixed?.isSure ? prefixed : null;
};

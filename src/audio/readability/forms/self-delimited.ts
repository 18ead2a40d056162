import { packetSamples } from '../../ogg/index.js';
import { mostCommon, nearlyAll } from './byte-statistics.js';

/** Messages that show packets of this form. */
const fewestMessages = 10;
/** Messages no longer than this say nothing. */
const smallest = 2;
/** Lengths of messages that show it: each agrees with what its message says of itself by a chance of 1 in 256 at most. */
const fewestLengths = 4;
/** Share of messages of one length up to which lengths vary. */
const variedLengths = 0.9;

/** Opus packets that each have their own length within. */
export interface SelfDelimited {
  /** The same packets without it. */
  readonly packets: readonly Uint8Array[];
  /** Packets in most messages. */
  readonly inMessage: number;
  /** Whether the lengths alone show the form. Of messages of one length a byte of audio may be that length. */
  readonly isSure: boolean;
  /** Whether a whole packet seems to lie behind each length: it may belong to the header of a radio. */
  readonly isHeaderLike: boolean;
}

interface Length {
  readonly value: number;
  /** Byte behind it. */
  readonly end: number;
}

/** The length of a frame, in one byte or two. Source: RFC 6716, section 3.2.1. */
const lengthAt = (bytes: Uint8Array, at: number): Length | null => {
  const first = bytes[at];
  if (first === undefined || first < 252) return first === undefined ? null : { value: first, end: at + 1 };
  const second = bytes[at + 1];
  return second === undefined ? null : { value: first + 4 * second, end: at + 2 };
};

/** Where the length stands that only this form has, and how many bytes follow it. */
interface OwnLength {
  readonly from: number;
  readonly to: number;
  readonly rest: number;
}

/** Frames of equal length: one length stands for all. */
const ofEqual = (bytes: Uint8Array, from: number, frames: number): OwnLength | null => {
  const length = lengthAt(bytes, from);
  return length === null ? null : { from, to: length.end, rest: frames * length.value };
};

/** Frames that each have their length. In other packets the last one has none. */
const ofVaried = (bytes: Uint8Array, at: number, frames: number): OwnLength | null => {
  let from = at;
  let rest = 0;
  for (let frame = 1; frame < frames; frame++) {
    const length = lengthAt(bytes, from);
    if (length === null) return null;
    rest += length.value;
    from = length.end;
  }
  const last = lengthAt(bytes, from);
  return last === null ? null : { from, to: last.end, rest: rest + last.value };
};

/** A packet of any number of frames, with padding. Source: RFC 6716, section 3.2.5. */
const ofSeveral = (bytes: Uint8Array, at: number): OwnLength | null => {
  const count = bytes[at + 1];
  if (count === undefined || (count & 63) === 0) return null;
  let from = at + 2;
  let padding = 0;
  if ((count & 0x40) !== 0) {
    for (let byte = 255; byte === 255; from++) {
      if (from >= bytes.length) return null;
      byte = bytes[from]!;
      padding += byte === 255 ? 254 : byte;
    }
  }
  const frames = count & 63;
  const own = (count & 0x80) === 0 ? ofEqual(bytes, from, frames) : ofVaried(bytes, from, frames);
  return own === null ? null : { ...own, rest: own.rest + padding };
};

const ownLengthAt = (bytes: Uint8Array, at: number): OwnLength | null => {
  switch (bytes[at]! & 3) {
    case 0:
      return ofEqual(bytes, at + 1, 1);
    case 1:
      return ofEqual(bytes, at + 1, 2);
    case 2:
      return ofVaried(bytes, at + 1, 2);
    default:
      return ofSeveral(bytes, at);
  }
};

/** The packets that fill a message, without their own lengths; null where it does not consist of such packets. */
const packetsIn = (message: Uint8Array): Uint8Array[] | null => {
  const packets: Uint8Array[] = [];
  for (let at = 0; at < message.length; ) {
    const own = ownLengthAt(message, at);
    if (own === null || own.to + own.rest > message.length) return null;
    const end = own.to + own.rest;
    const packet = Buffer.concat([message.subarray(at, own.from), message.subarray(own.to, end)]);
    if (packetSamples(packet, 48_000) === 0) return null;
    packets.push(packet);
    at = end;
  }
  return packets;
};

/** Whether what follows the length of a packet of one frame begins like a packet of the same duration itself, in nearly all messages. */
const hasPacketBehind = (messages: readonly Uint8Array[]): boolean => {
  const durations = messages.map((message) => {
    if ((message[0]! & 3) !== 0) return 0;
    const behind = message.subarray(lengthAt(message, 1)?.end ?? message.length);
    return packetSamples(behind, 48_000);
  });
  const { value, share } = mostCommon(durations);
  return value > 0 && share >= nearlyAll;
};

/**
 * Reads messages that consist of Opus packets in the self-delimiting form. A decoder takes the length for audio, so that nearly all of
 * them decode, to noise. Source: RFC 6716, appendix B.
 * @returns null where nearly all messages do not. Ends with the first few of those.
 */
export const selfDelimited = (messages: readonly Uint8Array[]): SelfDelimited | null => {
  const long = messages.filter(({ length }) => length > smallest);
  if (long.length < fewestMessages) return null;
  let others = Math.floor((1 - nearlyAll) * long.length);
  const packets: Uint8Array[] = [];
  const counts: number[] = [];
  const lengths: number[] = [];
  for (const message of long) {
    const found = packetsIn(message);
    if (found === null) {
      if (--others < 0) return null;
      continue;
    }
    packets.push(...found);
    counts.push(found.length);
    lengths.push(message.length);
  }
  const isVaried = new Set(lengths).size >= fewestLengths && mostCommon(lengths).share <= variedLengths;
  const isHeaderLike = hasPacketBehind(long);
  const { value: inMessage, share } = mostCommon(counts);
  // No audio repeats the first byte of a packet wherever one would begin.
  const isSure = !isHeaderLike && (isVaried || (inMessage > 1 && share >= nearlyAll));
  return { packets, inMessage, isSure, isHeaderLike };
};

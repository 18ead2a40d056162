import { packetSamples } from '../../ogg/index.js';
import { mostCommon, nearlyAll } from './byte-statistics.js';

/** Minimum number of messages that prove self-delimited packets. */
const fewestMessages = 10;
/** Messages with at most this many bytes are not examined, because they prove nothing. */
const smallest = 2;
/**
 * Minimum number of different message lengths that prove the format. By chance, a message's length matches its length
 * field in at most 1 of 256 cases.
 */
const fewestLengths = 4;
/** Lengths count as varied if at most this share of the messages has the most frequent length. */
const variedLengths = 0.9;

/** Opus packets that each contain their own length. */
export interface SelfDelimited {
  /** The packets without their own length. */
  readonly packets: readonly Uint8Array[];
  /** Number of packets in most messages. */
  readonly inMessage: number;
  /**
   * Whether the lengths alone prove the format. If all messages have one length, a byte of audio may equal that length
   * by chance.
   */
  readonly isSure: boolean;
  /** Whether a complete packet seems to follow each length. The length may then belong to a radio header. */
  readonly isHeaderLike: boolean;
}

interface Length {
  readonly value: number;
  /** Offset of the byte behind the length field. */
  readonly end: number;
}

/** Reads a length field of one or two bytes. Source: RFC 6716, section 3.2.1. */
const lengthAt = (bytes: Uint8Array, at: number): Length | null => {
  const first = bytes[at];
  if (first === undefined || first < 252) return first === undefined ? null : { value: first, end: at + 1 };
  const second = bytes[at + 1];
  return second === undefined ? null : { value: first + 4 * second, end: at + 2 };
};

/**
 * Range of the length field that only the self-delimiting format has, and number of bytes (`rest`) that must follow it.
 */
interface OwnLength {
  readonly from: number;
  readonly to: number;
  readonly rest: number;
}

/** Reads a packet whose frames all have the same length. One length field applies to all frames. */
const ofEqual = (bytes: Uint8Array, from: number, frames: number): OwnLength | null => {
  const length = lengthAt(bytes, from);
  return length === null ? null : { from, to: length.end, rest: frames * length.value };
};

/** Reads a packet in which each frame has its own length field. In an ordinary packet, the last frame has none. */
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

/** Reads a packet of any number of frames, with padding. Source: RFC 6716, section 3.2.5. */
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

/**
 * Returns the packets of a message, without their own lengths; null if the message does not consist of such packets.
 */
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

/**
 * Returns whether nearly all messages look like a packet of one frame with its length, followed by a complete Opus
 * packet. The complete packets must have equal durations.
 */
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
 * Reads messages that consist of Opus packets in the self-delimiting format. An ordinary decoder would decode the
 * length as audio, so nearly all messages decode, but to noise. Source: RFC 6716, appendix B.
 * @returns null if more than a few messages have another format. Stops as soon as this is known.
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
  // The format is also proven if nearly all messages have the same number of packets, at least two. In audio of another
  // format, a valid packet does not by chance begin wherever a further packet would.
  const isSure = !isHeaderLike && (isVaried || (inMessage > 1 && share >= nearlyAll));
  return { packets, inMessage, isSure, isHeaderLike };
};

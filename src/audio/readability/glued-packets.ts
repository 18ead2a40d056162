import { packetForm } from './coded-forms.js';
import { mostCommon, nearlyAll } from './forms/index.js';
import { intervalOf } from './pace.js';

/** Maximum number of packets in a message. */
const mostPackets = 6;
/** Maximum relative difference between the time between two messages and the duration of their packets. */
const intervalTolerance = 0.1;
/** Minimum share of messages in which packets are found. */
const mostMessages = 0.9;
/** Maximum logarithm of the probability that the found bytes are chance in all messages. */
const leastChance = -18;
/** Messages with at most this many bytes per packet are silence, which proves nothing. */
const smallest = 8;

/**
 * Finds messages in which several Opus packets were concatenated without lengths, and returns the number of packets in
 * each. A decoder reads such a message as one packet and loses the others.
 *
 * Three signs must agree. All messages begin with the same byte. The time between two messages is the duration of
 * several packets. The first byte recurs where each further packet would begin.
 * @param frames all messages.
 * @param arrivals of the messages, in ms.
 * @returns null if messages have one packet each, or if uncertain.
 */
export const gluedPackets = (frames: readonly Uint8Array[], arrivals: Float64Array): number | null => {
  const interval = intervalOf(arrivals);
  const { duration, share } = packetForm(frames);
  if (interval === null || duration === 0 || share < nearlyAll) return null;
  const count = Math.round(interval / duration);
  if (count < 2 || count > mostPackets) return null;
  if (Math.abs(Math.log(interval / duration / count)) > intervalTolerance) return null;
  const { value: first, share: alike } = mostCommon(frames.map((frame) => frame[0]!));
  if (alike < nearlyAll) return null;
  const long = frames.filter(({ length }) => length > smallest * count);
  let found = 0;
  let chance = 0;
  for (const frame of long) {
    const places = placesOf(frame.length, count);
    if (!places.every(([from, to]) => frame.subarray(from, to).includes(first))) continue;
    found++;
    for (const [from, to] of places) chance += Math.log(1 - (255 / 256) ** (to - from));
  }
  return found >= mostMessages * long.length && chance <= leastChance ? count : null;
};

/**
 * Returns the ranges of offsets in which the second and later packets may begin, if all packets have similar lengths.
 */
const placesOf = (length: number, count: number): (readonly [number, number])[] => {
  const each = length / count;
  return Array.from(
    { length: count - 1 },
    (_, index) => [Math.floor((index + 0.5) * each), Math.ceil((index + 1.5) * each)] as const,
  );
};

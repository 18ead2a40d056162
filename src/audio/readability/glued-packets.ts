import { packetForm } from './coded-forms.js';
import { mostCommon, nearlyAll } from './forms/index.js';
import { intervalOf } from './pace.js';

/** Packets that a message may hold. */
const mostPackets = 6;
/** Share by which the time between messages may differ from that of their packets. */
const intervalTolerance = 0.1;
/** Share of the messages in which packets are found. */
const mostMessages = 0.9;
/** Logarithm of the chance that bytes of other packets look so in all messages, at most. */
const leastChance = -18;
/** Messages no longer than this hold silence, where nothing is seen. */
const smallest = 8;

/**
 * How many Opus packets lie in each message, one behind the other and without lengths. A decoder takes such a message for one packet and loses the
 * others. Three things have to agree: all begin alike; messages come as rarely as several packets do; and where each further one would begin,
 * the first byte comes again.
 * @param frames of the messages, all of them.
 * @param arrivals ms at which they came.
 * @returns null where messages hold one packet each, or it is not sure.
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

/** Where each packet behind the first may begin: nearer to its even share of the message than to another one's. */
const placesOf = (length: number, count: number): (readonly [number, number])[] => {
  const each = length / count;
  return Array.from(
    { length: count - 1 },
    (_, index) => [Math.floor((index + 0.5) * each), Math.ceil((index + 1.5) * each)] as const,
  );
};

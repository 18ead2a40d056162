import { randomInt } from 'node:crypto';

/** Ms since the Unix epoch at which counting begins: leaves room in 53 bits until 2089. */
const origin = Date.UTC(2020, 0, 1);
/** Numbers within a millisecond. */
const perMillisecond = 4096;
/** A clock that is wrong by decades must not use up the numbers that JavaScript and JSON hold exactly. */
const largestFloor = 2 ** 52;

/** Parameters of a statement that raises an epoch: `greatest(epoch, floor) + step`. */
export interface EpochStep {
  readonly floor: number;
  readonly step: number;
}

/**
 * How a taker raises the epoch of a conversation. Counting up by one would not do: a database that is started on an
 * older copy of its files has forgotten the last epochs and would hand the same ones to other engines, while their
 * first holders still run. So an epoch is at least the taker's clock, which goes on across a return to old files, and
 * carries 12 random bits for two takers in the same millisecond or with clocks that stand behind the row. It grows in
 * any case, so that it fences everything before it.
 * @param now ms since the Unix epoch.
 */
export const epochStep = (now = Date.now()): EpochStep => ({
  floor: Math.min(largestFloor, Math.max(0, Math.floor(now) - origin) * perMillisecond),
  step: randomInt(1, perMillisecond),
});

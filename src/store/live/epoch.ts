import { randomInt } from 'node:crypto';

/** Ms since the Unix epoch at which counting begins, so that epochs fit into 53 bits until 2089. */
const origin = Date.UTC(2020, 0, 1);
/** Number of epochs within a millisecond. */
const perMillisecond = 4096;
/** Bound of the floor: a clock that is decades ahead must not use up the integers that JavaScript and JSON hold exactly. */
const largestFloor = 2 ** 52;

/** Parameters of a statement that raises an epoch: `greatest(epoch, floor) + step`. */
export interface EpochStep {
  readonly floor: number;
  readonly step: number;
}

/**
 * How an engine that takes a conversation over raises its epoch. Adding one is not enough: a database started on an older
 * copy of its files has lost the latest epochs and would give the same ones to other engines while their first holders
 * still run. So an epoch is at least the clock of the engine, which does not go back with the files. It also carries 12
 * random bits, for two engines in the same millisecond and for clocks behind the stored epoch. It always grows, so that
 * every earlier holder is fenced.
 * @param now ms since the Unix epoch.
 */
export const epochStep = (now = Date.now()): EpochStep => ({
  floor: Math.min(largestFloor, Math.max(0, Math.floor(now) - origin) * perMillisecond),
  step: randomInt(1, perMillisecond),
});

/** An epoch, and a revision, with which a conversation begins whose id may have been that of another one before: none had it. */
export const firstEpoch = (now = Date.now()): number => {
  const { floor, step } = epochStep(now);
  return floor + step;
};

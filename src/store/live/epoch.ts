import { randomInt } from 'node:crypto';

/**
 * Time from which the clock of epochs counts, in ms since the Unix epoch. With this time, epochs fit into 53 bits until
 * 2089.
 */
const origin = Date.UTC(2020, 0, 1);
/** Number of epochs in one millisecond. */
const perMillisecond = 4096;
/**
 * Maximum of `floor`. Without this maximum, a clock that is decades ahead would use up the integers that JavaScript and
 * JSON represent exactly.
 */
const largestFloor = 2 ** 52;

/** Parameters of a statement that raises an epoch: `greatest(epoch, floor) + step`. */
export interface EpochStep {
  readonly floor: number;
  readonly step: number;
}

/**
 * Computes how an engine raises the epoch of a conversation that it takes over. Adding one is not enough. A database
 * that was restored from a backup has lost the latest epochs, and would give the same epochs to other engines while the
 * earlier holders still run. So an epoch is at least a value of the engine's clock (`floor`), which a restore does not
 * reset. It also has 12 random bits (`step`), for two engines in the same millisecond and for clocks behind the stored
 * epoch. It always grows, so every earlier holder is fenced.
 * @param now ms since the Unix epoch.
 */
export const epochStep = (now = Date.now()): EpochStep => ({
  floor: Math.min(largestFloor, Math.max(0, Math.floor(now) - origin) * perMillisecond),
  step: randomInt(1, perMillisecond),
});

/**
 * Returns a number for the first epoch and the first revision of a conversation whose id may have been used before. No
 * earlier row with this id had the number.
 */
export const firstEpoch = (now = Date.now()): number => {
  const { floor, step } = epochStep(now);
  return floor + step;
};

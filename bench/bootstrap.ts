import { seeded } from './seeded.js';

/** Number of random selections from which an interval is computed. */
const selections = 2000;

/**
 * Returns the 95 % interval of a value that is computed from some items (bootstrap over the items).
 * @param count number of items.
 * @param of function that computes the value of a random selection, given as indexes of items.
 */
export const bootstrapInterval = (
  count: number,
  of: (chosen: readonly number[]) => number,
): readonly [low: number, high: number] => {
  const random = seeded(1);
  const values = Array.from({ length: selections }, () =>
    of(Array.from({ length: count }, () => Math.floor(random() * count))),
  ).sort((a, b) => a - b);
  return [values[Math.floor(0.025 * selections)]!, values[Math.ceil(0.975 * selections) - 1]!];
};

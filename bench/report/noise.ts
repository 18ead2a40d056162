import { quantile } from '../micro/stats.js';
import type { Report, Row } from './envelope.js';
import { type CostName, costNames, type Field, fields, spreadOf } from './fields.js';

/** The interquartile range of a normal distribution, in standard deviations. */
const deviations = 1.349;
/** Threshold where the noise is not known: 20 %. */
const unknown = Math.log(1.2);
/** How many times the noise a change has to be. */
const factor = 3;

/** The first cost of a row: the one that its `spread` belongs to. */
const firstCost = (row: Row): CostName | undefined => costNames.find((name) => row[name] !== undefined);

/**
 * Interquartile range of a cost of a row, in its unit; undefined where nothing tells. A cost without one of its own is
 * taken to scatter as much as the first cost of its row. A spread of 0 is that of a single round: it tells nothing.
 */
const scatterOf = (row: Row, cost: CostName): number | undefined => {
  const own = row[spreadOf(cost)] || undefined;
  if (own !== undefined) return own;
  const first = firstCost(row);
  if (first === undefined) return undefined;
  const spread = row[spreadOf(first)] || row.spread || undefined;
  if (spread === undefined || cost === first) return spread;
  const [value, base] = [row[cost]!, row[first]!];
  return base === 0 ? undefined : Math.abs((spread / base) * value);
};

/**
 * By what the same thing differed from itself, as a logarithm: the upper quartile of a suite in both reports. The largest
 * would let one bad moment of one comparison hide every change of the suite.
 */
const selfNoise = (reports: readonly Report[], row: Row, cost: CostName): number => {
  const ratios = reports
    .flatMap(({ self_noise }) => self_noise)
    .filter(
      (noise) =>
        noise.suite === row.suite &&
        (noise.contender ?? row.contender) === row.contender &&
        (noise.cost ?? cost) === cost,
    )
    .map(({ ratio }) => Math.abs(Math.log(ratio)));
  return ratios.length === 0 ? 0 : quantile(ratios, 0.75);
};

/** Standard deviation of a cost of a row, relative to it; undefined where nothing tells. */
const relativeScatter = (row: Row, cost: CostName): number | undefined => {
  const scatter = scatterOf(row, cost);
  const value = row[cost];
  return scatter === undefined || !value ? undefined : Math.abs(scatter / value) / deviations;
};

/**
 * What a cost of a suite usually scatters by, over the rows of both reports: a few rounds may happen to lie close together,
 * and then say less about their row than its neighbours do.
 */
const usualScatter = (reports: readonly Report[], suite: string, cost: CostName): number => {
  const known = reports
    .flatMap(({ results }) => results)
    .filter((row) => row.suite === suite)
    .flatMap((row) => relativeScatter(row, cost) ?? []);
  return known.length === 0 ? 0 : quantile(known, 0.5);
};

export interface Judged {
  /** B divided by A; undefined where one of them is not above 0. */
  readonly ratio: number | undefined;
  /** Share by which the value had to change to be news: 0.06 = by 6 %. Undefined for counts and values around 0. */
  readonly noise: number | undefined;
  /** Size of the change, by which changes are ordered: 1 = as large as the threshold. */
  readonly size: number;
  readonly verdict: 'better' | 'worse' | 'same';
}

/**
 * Whether a cost of two rows of the same dimensions changed.
 *
 * - A cost above 0 changed when the logarithm of B / A is larger than three times the noise, and than the field's `least`
 *   (2 %; more for tails and capacities). The noise is the largest of: what the same contender differed from itself by
 *   (upper quartile of |log ratio| of the suite's self-noise in both reports); the scatter of the rounds of both rows
 *   (interquartile range / 1.349 / value, added as squares); the median of that scatter in the suite. Where none is known,
 *   20 % are asked for.
 * - Numbers of events (drops, errors) changed when they differ by more than three times the square root of their sum:
 *   what chance does to events that are independent of each other.
 * - Where a value is 0 or less there is no ratio: it changed when the difference is larger than three times the scatter,
 *   or where that is unknown than 20 % of the larger.
 * - A difference below the field's `floor` is no change.
 */
export const judge = (cost: CostName, a: Row, b: Row, reports: readonly Report[]): Judged => {
  const field: Field = fields[cost];
  const [before, after] = [a[cost]!, b[cost]!];
  const difference = after - before;
  const [scatterA, scatterB] = [scatterOf(a, cost), scatterOf(b, cost)];
  const scatter =
    scatterA === undefined || scatterB === undefined
      ? undefined
      : Math.hypot(scatterA, scatterB) / deviations;
  const positive = before > 0 && after > 0;
  const ratio = positive ? after / before : undefined;
  let size: number;
  let noise: number | undefined;
  if (field.events) {
    size = difference === 0 ? 0 : Math.abs(difference) / (factor * Math.sqrt(before + after));
  } else if (ratio !== undefined) {
    const self = selfNoise(reports, a, cost);
    const [own, other] = [relativeScatter(a, cost), relativeScatter(b, cost)];
    const known = (own !== undefined && other !== undefined) || self > 0;
    const usual = usualScatter(reports, a.suite, cost);
    const rounds = Math.max(Math.hypot(own ?? 0, other ?? 0), Math.hypot(usual, usual));
    const least = Math.log(1 + (field.least ?? 0));
    const threshold = Math.max(least, known ? factor * Math.max(self, rounds) : unknown);
    size = Math.abs(Math.log(ratio)) / threshold;
    noise = Math.exp(threshold) - 1;
  } else {
    const threshold =
      scatter === undefined ? 0.2 * Math.max(Math.abs(before), Math.abs(after)) : factor * scatter;
    size = difference === 0 ? 0 : Math.abs(difference) / threshold;
  }
  if (Math.abs(difference) < (field.floor ?? 0)) size = Math.min(size, 1);
  const worse = difference > 0 === (field.better === 'lower');
  const verdict = size <= 1 ? 'same' : worse ? 'worse' : 'better';
  return { ratio, noise, size, verdict };
};

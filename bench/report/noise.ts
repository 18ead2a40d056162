import { quantile } from '../micro/stats.js';
import type { Report, Row } from './envelope.js';
import { type CostName, costNames, type Field, fields, spreadOf } from './fields.js';

/** Interquartile range of a normal distribution, divided by its standard deviation. */
const deviations = 1.349;
/** Threshold for a change if the noise is unknown: 20 %, as the natural logarithm of the ratio. */
const unknown = Math.log(1.2);
/** A significant change must exceed the noise by this factor. */
const factor = 3;

/** Returns the name of the first cost in a row, to which the field `spread` applies. */
const firstCost = (row: Row): CostName | undefined => costNames.find((name) => row[name] !== undefined);

/**
 * Returns the interquartile range of a row's cost, in its unit; undefined if unknown. If a cost has no range, its
 * relative range is assumed to be that of the row's first cost. A spread of 0 comes from a single round and is ignored.
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
 * Returns how much two results of one contender differ, as a logarithm: the upper quartile of a suite's self-noise in
 * both reports. The maximum would be wrong, because one disturbed comparison would then hide every change of the suite.
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

/** Returns the relative standard deviation of a row's cost; undefined if unknown. */
const relativeScatter = (row: Row, cost: CostName): number | undefined => {
  const scatter = scatterOf(row, cost);
  const value = row[cost];
  return scatter === undefined || !value ? undefined : Math.abs(scatter / value) / deviations;
};

/**
 * Returns the typical scatter of a suite's cost: the median over the rows of both reports. The values of a few rounds
 * may be close together by chance, so the scatter of other rows is more reliable.
 */
const usualScatter = (reports: readonly Report[], suite: string, cost: CostName): number => {
  const known = reports
    .flatMap(({ results }) => results)
    .filter((row) => row.suite === suite)
    .flatMap((row) => relativeScatter(row, cost) ?? []);
  return known.length === 0 ? 0 : quantile(known, 0.5);
};

export interface Judged {
  /** Value in report B divided by the value in report A; undefined if one of the values is not positive. */
  readonly ratio: number | undefined;
  /** Minimum relative change that is significant: 0.06 means 6 %. Undefined for counts, and for values around 0. */
  readonly noise: number | undefined;
  /** The change divided by its threshold. At 1 the change equals the threshold. Changes are sorted by this value. */
  readonly size: number;
  readonly verdict: 'better' | 'worse' | 'same';
}

/**
 * Judges whether a cost differs between two rows with the same dimensions.
 * - A positive cost changed if |log(B / A)| exceeds three times the noise and the field's `least` (2 %; more for tails
 *   and capacities). If the noise is unknown, the threshold is 20 %. The noise is the largest of three values.
 * - 1. How much two results of one contender differ: the upper quartile of |log ratio| of the suite's self-noise in
 *   both reports.
 * - 2. The scatter of the rounds of both rows: interquartile range / 1.349 / value, added as squares.
 * - 3. The median of this scatter over the suite.
 * - Numbers of events (drops, errors) changed if they differ by more than three times the square root of their sum.
 *   Independent events rarely differ so much by chance.
 * - A value of 0 or less has no ratio. It changed if the difference exceeds three times the scatter. If the scatter is
 *   unknown, the difference must exceed 20 % of the larger value.
 * - A difference below the field's `floor` never counts as a change.
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

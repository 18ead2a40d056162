import { median, quantile, spread } from '../../micro/stats.js';
import type { Row, SelfNoiseRow } from '../../report/envelope.js';
import { type CostName, costNames, dimensionNames, spreadOf } from '../../report/fields.js';

/** What one measurement of one row came to. */
export type Sample = { readonly [Name in CostName]?: number };

/** One row to be: its labels, and how it is measured. */
export interface Contender {
  readonly labels: Omit<Row, CostName>;
  /** @param round counts from 0. */
  measure(round: number): Promise<Sample>;
}

export interface Watch {
  /** Takes what is being measured, for a terminal. */
  readonly tell?: (line: string) => void;
  /** Ends the run, with its reason, before the next measurement. */
  readonly signal?: AbortSignal;
}

export interface Rounds {
  readonly results: Row[];
  readonly selfNoise: SelfNoiseRow[];
}

/** What tells a row from the others, in words. */
const title = (labels: Contender['labels']): string =>
  dimensionNames
    .filter((name) => name !== 'suite' && name !== 'contender' && labels[name] !== undefined)
    .map((name) => (typeof labels[name] === 'number' ? `${name} ${labels[name]}` : labels[name]))
    .join(', ');

const costsOf = (samples: readonly Sample[]): readonly CostName[] =>
  costNames.filter((name) => samples.every((sample) => sample[name] !== undefined));

/** Median and interquartile range of every cost that all samples have. */
export const summarise = (samples: readonly Sample[]): Partial<Row> => {
  const row: Record<string, number> = {};
  for (const name of costsOf(samples)) {
    const values = samples.map((sample) => sample[name]!);
    row[name] = median(values);
    if (samples.length > 1) row[spreadOf(name)] = spread(values);
  }
  return row as Partial<Row>;
};

/** How far two series of samples of one thing lie apart, cost by cost; costs with a zero among them say nothing. */
export const noiseOf = (
  labels: Contender['labels'],
  samples: readonly Sample[],
  twins: readonly Sample[],
): SelfNoiseRow[] =>
  costsOf([...samples, ...twins]).flatMap((cost) => {
    const ratios = samples.map((sample, round) => twins[round]![cost]! / sample[cost]!);
    if (ratios.some((ratio) => !(ratio > 0 && Number.isFinite(ratio)))) return [];
    const { suite, contender } = labels;
    const of = `${title(labels)}: ${cost}`;
    return [{ suite, of, ratio: median(ratios), spread: spread(ratios), contender, cost }];
  });

/**
 * Measures contenders in interleaved rounds: every one once a round, forwards in one round and backwards in the next, so
 * that what drifts meets all alike. The first one is measured twice a round, which shows how far it differs from itself;
 * with a single round, which has no spread to judge by, that is left out.
 */
export const measureInRounds = async (
  contenders: readonly Contender[],
  rounds: number,
  { tell, signal }: Watch = {},
): Promise<Rounds> => {
  const [first] = contenders;
  if (!first) return { results: [], selfNoise: [] };
  const entries = (rounds > 1 ? [...contenders, first] : contenders).map((contender, index) => ({
    contender,
    index,
  }));
  const samples = entries.map(() => [] as Sample[]);
  for (let round = 0; round < rounds; round++) {
    for (const { contender, index } of round % 2 === 0 ? entries : entries.toReversed()) {
      signal?.throwIfAborted();
      tell?.(`round ${round + 1} of ${rounds}: ${title(contender.labels)}`);
      samples[index]!.push(await contender.measure(round));
    }
  }
  return {
    results: contenders.map(
      ({ labels }, index) => ({ ...labels, rounds, ...summarise(samples[index]!) }) as Row,
    ),
    selfNoise: rounds > 1 ? noiseOf(first.labels, samples[0]!, samples.at(-1)!) : [],
  };
};

/** p50 and p99 of some durations in ms. */
export const percentilesOf = (milliseconds: readonly number[]): Sample =>
  milliseconds.length === 0
    ? {}
    : { p50_ms: quantile(milliseconds, 0.5), p99_ms: quantile(milliseconds, 0.99) };

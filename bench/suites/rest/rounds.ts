import { median, quantile, spread } from '../../micro/stats.js';
import type { Row, SelfNoiseRow } from '../../report/envelope.js';
import { type CostName, costNames, dimensionNames, spreadOf } from '../../report/fields.js';

/** Costs of a row in one measurement. */
export type Sample = { readonly [Name in CostName]?: number };

/** A row to measure: its labels, and a function that measures the row. */
export interface Contender {
  readonly labels: Omit<Row, CostName>;
  /** Measures the row once. @param round counts from 0. */
  measure(round: number): Promise<Sample>;
}

export interface Watch {
  /** Receives progress messages for a terminal. */
  readonly tell?: (line: string) => void;
  /** Aborting this signal ends the run before the next measurement. The run then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface Rounds {
  readonly results: Row[];
  readonly selfNoise: SelfNoiseRow[];
}

/** Returns the labels that distinguish a row, as text. */
const title = (labels: Contender['labels']): string =>
  dimensionNames
    .filter((name) => name !== 'suite' && name !== 'contender' && labels[name] !== undefined)
    .map((name) => (typeof labels[name] === 'number' ? `${name} ${labels[name]}` : labels[name]))
    .join(', ');

const costsOf = (samples: readonly Sample[]): readonly CostName[] =>
  costNames.filter((name) => samples.every((sample) => sample[name] !== undefined));

/** Returns the median and the interquartile range of every cost that all samples contain. */
export const summarise = (samples: readonly Sample[]): Partial<Row> => {
  const row: Record<string, number> = {};
  for (const name of costsOf(samples)) {
    const values = samples.map((sample) => sample[name]!);
    row[name] = median(values);
    if (samples.length > 1) row[spreadOf(name)] = spread(values);
  }
  return row as Partial<Row>;
};

/** Returns how much two series of samples of one contender differ, by cost. Costs with a zero sample are skipped. */
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
 * Measures contenders in interleaved rounds. Each round measures all of them, forwards and backwards in turn. So drift
 * affects all contenders alike. The first contender is measured twice per round, which shows how much two of its
 * results differ. With only one round there is no spread, so its second measurement is omitted.
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

/** Returns the p50 and p99 of durations in ms. */
export const percentilesOf = (milliseconds: readonly number[]): Sample =>
  milliseconds.length === 0
    ? {}
    : { p50_ms: quantile(milliseconds, 0.5), p99_ms: quantile(milliseconds, 0.99) };

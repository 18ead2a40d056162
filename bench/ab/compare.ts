import { median, spread } from '../micro/stats.js';
import type { Row, SelfNoiseRow, SuiteOutcome } from '../report/envelope.js';
import { type CostName, fields, spreadOf } from '../report/fields.js';
import { type Judged, judge, orderOf, type RoundCosts, type Seat, seats } from './judge.js';
import { type MeasuredRow, rowKey } from './rows.js';

/** The comparison of one cost in one row of the report. */
export interface AbChange {
  readonly suite: string;
  /** The labels of the row as readable text. */
  readonly what: string;
  readonly cost: CostName;
  readonly base: number;
  readonly head: number;
  /** `same` means that the change is not larger than the difference between identical processes. */
  readonly verdict: 'better' | 'worse' | 'same';
  readonly judged: Judged;
}

export interface AbOutcome extends SuiteOutcome {
  readonly changes: readonly AbChange[];
}

interface Series {
  readonly labels: MeasuredRow['labels'];
  readonly cost: CostName;
  readonly rounds: RoundCosts[];
}

/** Runs the four processes of every round, one after the other. */
export const measureRounds = async (
  rounds: number,
  measure: (seat: Seat, round: number) => Promise<readonly MeasuredRow[]>,
): Promise<ReadonlyMap<Seat, readonly MeasuredRow[]>[]> => {
  const all: Map<Seat, readonly MeasuredRow[]>[] = [];
  for (let round = 0; round < rounds; round++) {
    const found = new Map<Seat, readonly MeasuredRow[]>();
    for (const seat of orderOf(round)) found.set(seat, await measure(seat, round));
    all.push(found);
  }
  return all;
};

/** Splits the costs into two groups: costs that all four processes reported in every round, and other costs. */
export const joinRounds = (
  rounds: readonly ReadonlyMap<Seat, readonly MeasuredRow[]>[],
): { readonly series: ReadonlyMap<string, Series>; readonly left: readonly string[] } => {
  const series = new Map<string, Series>();
  const seen = new Map<string, string>();
  rounds.forEach((found, round) => {
    const costs = new Map<string, { row: MeasuredRow; cost: CostName; values: Map<Seat, number> }>();
    for (const seat of seats) {
      for (const row of found.get(seat) ?? []) {
        for (const [name, value] of Object.entries(row.costs)) {
          const cost = name as CostName;
          const key = `${rowKey(row)} ${cost}`;
          seen.set(key, `${row.labels.suite}: ${wordsOf(row.labels)}: ${cost}`);
          const entry = costs.get(key) ?? { row, cost, values: new Map<Seat, number>() };
          entry.values.set(seat, value);
          costs.set(key, entry);
        }
      }
    }
    for (const [key, { row, cost, values }] of costs) {
      const before = series.get(key);
      if (values.size < seats.length || (before?.rounds.length ?? 0) < round) continue;
      const all = Object.fromEntries(values) as Record<Seat, number>;
      if (before) before.rounds.push(all);
      else series.set(key, { labels: row.labels, cost, rounds: [all] });
    }
  });
  for (const [key, { rounds: each }] of series) if (each.length < rounds.length) series.delete(key);
  return { series, left: [...seen].filter(([key]) => !series.has(key)).map(([, words]) => words) };
};

const wordsOf = ({ suite: _, contender: __, ...labels }: MeasuredRow['labels']): string =>
  Object.entries(labels)
    .map(([name, value]) => (typeof value === 'number' ? `${name} ${value}` : String(value)))
    .join(', ');

const verdictOf = (cost: CostName, { ratio, marked }: Judged): AbChange['verdict'] => {
  if (!marked) return 'same';
  return ratio > 1 === (fields[cost].better === 'higher') ? 'better' : 'worse';
};

/**
 * Judges every cost. Costs of the same suite and kind are judged together, because together they show how much
 * identical processes differ.
 */
const judgeAll = (series: ReadonlyMap<string, Series>): ReadonlyMap<string, Judged> => {
  const groups = new Map<string, Map<string, readonly RoundCosts[]>>();
  for (const [key, { labels, cost, rounds }] of series) {
    const name = `${labels.suite} ${cost}`;
    const group = groups.get(name) ?? new Map();
    groups.set(name, group.set(key, rounds));
  }
  return new Map([...groups.values()].flatMap((group) => [...judge(group)]));
};

const selfNoiseOf = (series: Iterable<Series>): SelfNoiseRow[] => {
  const ratios = new Map<string, { suite: string; cost: CostName; values: number[] }>();
  for (const { labels, cost, rounds } of series) {
    const key = `${labels.suite} ${cost}`;
    const entry = ratios.get(key) ?? { suite: labels.suite, cost, values: [] };
    for (const { A1, A2, B1, B2 } of rounds) entry.values.push(A2 / A1, B2 / B1);
    ratios.set(key, entry);
  }
  return [...ratios.values()].map(({ suite, cost, values }) => ({
    suite,
    of: `${cost}, base and head`,
    ratio: median(values),
    spread: spread(values),
    cost,
  }));
};

/** Returns the report rows, the noise and the verdicts of a comparison. A row has one cost of one arm. */
export const compareArms = (rounds: readonly ReadonlyMap<Seat, readonly MeasuredRow[]>[]): AbOutcome => {
  const { series, left } = joinRounds(rounds);
  const judged = judgeAll(series);
  const results: Row[] = [];
  const changes: AbChange[] = [];
  for (const [key, { labels, cost, rounds: each }] of series) {
    const verdict = judged.get(key)!;
    const base = each.map(({ A1, A2 }) => (A1 + A2) / 2);
    const head = each.map(({ B1, B2 }) => (B1 + B2) / 2);
    const rowOf = (contender: string, values: readonly number[]): Row => ({
      ...(labels as Row),
      contender,
      rounds: each.length,
      [cost]: median(values),
      [spreadOf(cost)]: spread(values),
    });
    const { ratio, marked } = verdict;
    results.push(rowOf('base', base), {
      ...rowOf('head', head),
      ratio,
      against: 'base',
      beyond_noise: marked,
    });
    const medians = { base: median(base), head: median(head) };
    changes.push({
      suite: labels.suite,
      what: wordsOf(labels),
      cost,
      ...medians,
      verdict: verdictOf(cost, verdict),
      judged: verdict,
    });
  }
  const why = 'not told by all four processes of every round';
  const skipped = left.map((words) => ({ suite: 'ab', what: words, why }));
  return { results, changes, selfNoise: selfNoiseOf(series.values()), skipped, versions: {} };
};

const percent = (ratio: number): string => `${ratio >= 1 ? '+' : ''}${((ratio - 1) * 100).toFixed(1)} %`;
const short = (value: number): string => String(Number(value.toPrecision(4)));

/**
 * Returns one line for each marked change, the largest change first. Without marked changes, returns a line that says
 * so.
 */
export const verdictLines = (changes: readonly AbChange[]): string[] => {
  const size = ({ judged }: AbChange): number => Math.abs(Math.log(judged.ratio));
  const marked = changes.filter(({ verdict }) => verdict !== 'same').sort((a, b) => size(b) - size(a));
  if (marked.length === 0) return [`Nothing differs beyond noise: ${changes.length} costs compared.`];
  const line = ({ suite, what, cost, base, head, verdict, judged }: AbChange): string =>
    `${verdict}: ${suite}, ${what}: ${cost} ${short(base)} -> ${short(head)} (${percent(judged.ratio)}, noise ${percent(judged.noise).slice(1)})`;
  return [`${marked.length} of ${changes.length} costs differ beyond noise:`, ...marked.map(line)];
};

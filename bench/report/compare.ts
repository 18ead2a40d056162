import type { Report, Row } from './envelope.js';
import { type CostName, costNames, dimensionNames } from './fields.js';
import { judge } from './noise.js';

export type Verdict = 'better' | 'worse' | 'same' | 'only in A' | 'only in B';

/** The comparison of one cost of a row in two reports. If only one report has the row, `cost` is absent. */
export interface Change {
  readonly suite: string;
  readonly contender: string;
  /** Labels of the row without suite and contender: `opus, 16000 Hz, 20 ms`. */
  readonly what: string;
  /** Name of the cost; absent if a report lacks the complete row. */
  readonly cost?: CostName;
  readonly a?: number;
  readonly b?: number;
  /** Value in report B divided by the value in report A. */
  readonly ratio?: number;
  /** Minimum relative change that is significant. 0.06 means 6 %. */
  readonly noise?: number;
  readonly verdict: Verdict;
}

export interface Compared {
  /** Reasons why the two reports are hard to compare. */
  readonly warnings: readonly string[];
  /** All changes, the largest first. */
  readonly changes: readonly Change[];
}

const keyed = (row: Row): (readonly [name: string, value: string | number])[] =>
  dimensionNames.flatMap((name) => {
    const value = row[name];
    return value === undefined || (name === 'streams' && row.asked !== undefined) ? [] : [[name, value]];
  });

/**
 * Returns the rows by key. A key consists of the labels of the row. If rows have equal labels, the key also has a
 * number.
 */
const index = (rows: readonly Row[]): Map<string, Row> => {
  const found = new Map<string, Row>();
  for (const row of rows) {
    const key = JSON.stringify(keyed(row));
    let nth = 0;
    while (found.has(`${key} ${nth}`)) nth++;
    found.set(`${key} ${nth}`, row);
  }
  return found;
};

const words = (row: Row): string =>
  keyed(row)
    .filter(([name]) => name !== 'suite' && name !== 'contender')
    .map(([name, value]) => (typeof value === 'number' ? `${name} ${value}` : value))
    .join(', ');

const setting = (report: Report): string =>
  Object.entries(report.settings ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

/** Describes how the conditions of the two reports differ, such as the machine, if this affects timings. */
const differences = (a: Report, b: Report): string[] => {
  const machine = ({ machine: { cpu, cores, flags, system } }: Report): string =>
    `${cpu}, ${cores} cores (${flags.join(' ')}), ${system}`;
  const pairs: (readonly [what: string, a: string, b: string])[] = [
    ['machines', machine(a), machine(b)],
    ['versions of Node', a.machine.node, b.machine.node],
    ['clocks', a.clock, b.clock],
    ['settings', setting(a), setting(b)],
    ...Object.keys(a.machine.versions)
      .filter((name) => b.machine.versions[name] !== undefined)
      .map((name) => [`versions of ${name}`, a.machine.versions[name]!, b.machine.versions[name]!] as const),
  ];
  const different = pairs
    .filter(([, one, other]) => one !== other)
    .map(([what, one, other]) => `different ${what}: ${one || 'none'} | ${other || 'none'}`);
  const loads = [a, b].map(({ machine: { load } }) => load);
  const busy = loads.some((load, at) => load > [a, b][at]!.machine.cores);
  return busy
    ? [...different, `a busy machine: load ${loads.map((load) => load.toFixed(1)).join(' | ')}`]
    : different;
};

/** Returns a warning for each unreliable row: the server was overloaded, or the load generator was too slow. */
const doubtful = (report: Report, name: 'A' | 'B'): string[] =>
  report.results.flatMap((row) => {
    const why = row.beyond ?? (row.generator_bound ? 'the generator did not keep its pace' : undefined);
    return why === undefined ? [] : [`${name}, ${row.suite}, ${row.contender}, ${words(row)}: ${why}`];
  });

const missing = (row: Row, verdict: Verdict): Change => ({
  suite: row.suite,
  contender: row.contender,
  what: words(row),
  verdict,
});

type Sized = Change & { readonly size: number };

/** Returns the change of each cost between two rows with equal dimensions, with the size of each change. */
const costChanges = (a: Row, b: Row, reports: readonly Report[]): Sized[] =>
  costNames.flatMap((cost): Sized[] => {
    const [before, after] = [a[cost], b[cost]];
    const common = { suite: a.suite, contender: a.contender, what: words(a), cost };
    if (before === undefined && after === undefined) return [];
    if (after === undefined) return [{ ...common, a: before, verdict: 'only in A', size: 0 }];
    if (before === undefined) return [{ ...common, b: after, verdict: 'only in B', size: 0 }];
    const { ratio, noise, size, verdict } = judge(cost, a, b, reports);
    return [{ ...common, a: before, b: after, ratio, noise, verdict, size }];
  });

/**
 * Compares two reports row by row. Rows match if they have the same suite, contender and dimensions. If rows have the
 * field `asked`, it replaces `streams` as a dimension. `judge` decides which differences count as a change.
 * @param contenders names of the contenders whose rows are compared; empty: all.
 */
export const compareReports = (a: Report, b: Report, contenders: readonly string[] = []): Compared => {
  const chosen = ({ results }: Report): Map<string, Row> =>
    index(results.filter(({ contender }) => contenders.length === 0 || contenders.includes(contender)));
  const [before, after] = [chosen(a), chosen(b)];
  const both: Sized[] = [];
  const only: Change[] = [];
  for (const [key, row] of before) {
    const other = after.get(key);
    if (other) both.push(...costChanges(row, other, [a, b]));
    else only.push(missing(row, 'only in A'));
  }
  for (const [key, row] of after) if (!before.has(key)) only.push(missing(row, 'only in B'));
  both.sort((one, other) => other.size - one.size);
  return {
    warnings: [...differences(a, b), ...doubtful(a, 'A'), ...doubtful(b, 'B')],
    changes: [...both.map(({ size: _, ...change }) => change), ...only],
  };
};

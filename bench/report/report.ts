import type { Report, Settings, SuiteOutcome } from './envelope.js';
import { describeMachine, measuredCommit } from './machine.js';
import { table } from './table.js';

export interface ReportOptions {
  /** Default: CPU time. */
  readonly clock?: Report['clock'];
  /** What decides the results and is no field of theirs. */
  readonly settings?: Settings;
}

/** Options whose values no report may hold: a line of HTTP may carry a token. */
const secret = /^--header(=|$)/;

/** Arguments as they can be typed again, without secrets. */
export const commandWords = (words: readonly string[]): string =>
  words
    .map((word, at) => {
      if (words[at - 1] === '--header') return '...';
      if (secret.test(word)) return word.replace(/=.*/s, '=...');
      return /^[\w./:,%=@+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
    })
    .join(' ');

/** An empty report of this machine and checkout. Begin it before the measurement: it holds the load of that moment. */
export const startReport = ({ clock = 'cpu', settings = {} }: ReportOptions = {}): Report => ({
  machine: describeMachine(),
  commit: measuredCommit(),
  date: new Date().toISOString(),
  command: commandWords(process.argv.slice(2)),
  clock,
  settings: { ...settings },
  results: [],
  self_noise: [],
  skipped: [],
  series: [],
});

/** Adds what a suite found. */
export const addOutcome = (report: Report, outcome: SuiteOutcome): void => {
  report.results.push(...outcome.results);
  report.self_noise.push(...outcome.selfNoise);
  report.skipped.push(...outcome.skipped);
  report.series ??= [];
  report.series.push(...(outcome.series ?? []));
  Object.assign(report.machine.versions, outcome.versions);
};

type Print = (line: string) => void;

/** Prints the machine, the commit and the settings of a report. */
export const printHead = ({ machine, commit, settings = {} }: Report, print: Print): void => {
  print(`${machine.cpu}, ${machine.cores} cores (${machine.flags.join(' ')})`);
  print(
    `${machine.system}, node ${machine.node}, load ${machine.load.toFixed(1)}, commit ${commit || 'unknown'}`,
  );
  const set = Object.entries(settings);
  if (set.length > 0) print(set.map(([name, value]) => `${name}=${value}`).join(' '));
};

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** Prints what one suite found: its table, its noise, the versions and what it left out. */
export const printOutcome = (suite: string, outcome: SuiteOutcome, print: Print): void => {
  const { results, selfNoise, skipped, versions } = outcome;
  print(`\n${suite}`);
  if (results.length > 0) print(table(results));
  for (const { of, ratio, spread } of selfNoise) {
    print(`  self-noise (${of}, against itself): ${percent(ratio - 1)}, spread ${percent(spread)}`);
  }
  for (const [what, version] of Object.entries(versions)) print(`  ${what}: ${version}`);
  for (const { what, why } of skipped) print(`  not measured: ${what}: ${why}`);
};

import type { Report, Settings, SuiteOutcome } from './envelope.js';
import { describeMachine, measuredCommit } from './machine.js';
import { printTable } from './table.js';

export interface ReportOptions {
  /** Clock of all costs that are times; absent: CPU time. */
  readonly clock?: Report['clock'];
  /** Settings that affect the results but are not fields of rows. */
  readonly settings?: Settings;
}

/** Options whose values must not appear in reports, because they may contain a token. */
const secret = /^--header(=|$)/;

/** Returns the arguments of the command as a shell line, without secrets. */
export const commandWords = (words: readonly string[]): string =>
  words
    .map((word, at) => {
      if (words[at - 1] === '--header') return '...';
      if (secret.test(word)) return word.replace(/=.*/s, '=...');
      return /^[\w./:,%=@+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
    })
    .join(' ');

/**
 * Returns an empty report of this machine and checkout. Call it before the measurement, because it records the current
 * load average of the machine.
 */
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

/** Adds the results of a suite. */
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

/** Prints the results of one suite: its table, noise, versions and skipped measurements. */
export const printOutcome = (suite: string, outcome: SuiteOutcome, print: Print): void => {
  const { results, selfNoise, skipped, versions } = outcome;
  if (results.length === 0) print(`\n${suite}`);
  printTable(results, print);
  for (const { of, ratio, spread } of selfNoise) {
    print(`  self-noise (${of}, against itself): ${percent(ratio - 1)}, spread ${percent(spread)}`);
  }
  for (const [what, version] of Object.entries(versions)) print(`  ${what}: ${version}`);
  for (const { what, why } of skipped) print(`  not measured: ${what}: ${why}`);
};

import { writeFileSync } from 'node:fs';
import { CochleaError } from '../../src/errors/index.js';
import { codecSuite } from './codec.js';
import type { CompareOptions } from './compare.js';
import { cosineSuite } from './cosine.js';
import { encoderSuite } from './encoder.js';
import { frontSuite } from './front.js';
import { describeMachine, measuredCommit } from './machine.js';
import { type Report, reportSchema, type SuiteName, type SuiteOutcome, suiteNames, table } from './report.js';
import { resampleSuite } from './resample.js';
import { ringSuite } from './ring.js';
import type { Suite } from './suite.js';
import { turnSuite } from './turn.js';
import { vadSuite } from './vad.js';

const suites: Readonly<Record<SuiteName, Suite>> = {
  codec: codecSuite,
  resample: resampleSuite,
  vad: vadSuite,
  ring: ringSuite,
  cosine: cosineSuite,
  encoder: encoderSuite,
  turn: turnSuite,
  front: frontSuite,
};

export interface MicroOptions extends CompareOptions {
  /** Suites to run, in the order of the list; all when empty. */
  readonly only: readonly string[];
  /** File the report is written to. */
  readonly json?: string;
  /** Takes each line of the tables. */
  readonly print: (line: string) => void;
}

/**
 * The suites asked for.
 * @throws RangeError for a name no suite has.
 */
export const chosenSuites = (only: readonly string[]): readonly SuiteName[] => {
  const unknown = only.find((name) => !(suiteNames as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new RangeError(`There is no suite "${unknown}". Suites: ${suiteNames.join(', ')}.`);
  return suiteNames.filter((name) => only.length === 0 || only.includes(name));
};

const percent = (ratio: number): string => `${((ratio - 1) * 100).toFixed(1)} %`;

/** Runs a suite; without the native core there is nothing to measure, and that is told. */
const runSuite = async (name: SuiteName, options: CompareOptions): Promise<SuiteOutcome> => {
  try {
    return await suites[name](options);
  } catch (error) {
    if (!(error instanceof CochleaError) || error.code !== 'core_unavailable') throw error;
    const skipped = [{ suite: name, what: 'the whole suite', why: error.line }];
    return { results: [], selfNoise: [], skipped, versions: {} };
  }
};

/** Runs suites one after the other, prints a table of each, and writes the report. */
export const runMicro = async (options: MicroOptions): Promise<Report> => {
  const { only, json, rounds, warmUp, print } = options;
  const names = chosenSuites(only);
  const { load, ...machine } = describeMachine({});
  const commit = measuredCommit();
  print(`${machine.cpu}, ${machine.cores} cores (${machine.flags.join(' ')})`);
  print(`${machine.system}, node ${machine.node}, load ${load.toFixed(1)}, commit ${commit || 'unknown'}`);
  print(
    `CPU time, median of ${rounds} interleaved rounds, spread = interquartile range, ratio = paired with "against"`,
  );
  const report: Report = {
    machine: { ...machine, load },
    commit,
    clock: 'cpu',
    results: [],
    self_noise: [],
    skipped: [],
  };
  for (const name of names) {
    const { results, selfNoise, skipped, versions } = await runSuite(name, { rounds, warmUp });
    report.results.push(...results);
    report.self_noise.push(...selfNoise);
    report.skipped.push(...skipped);
    Object.assign(report.machine.versions, versions);
    print(`\n${name}`);
    if (results.length > 0) print(table(results));
    for (const { of, ratio, spread } of selfNoise) {
      print(`  self-noise (${of}, against itself): ${percent(ratio)}, spread ${percent(1 + spread)}`);
    }
    for (const [what, version] of Object.entries(versions)) print(`  ${what}: ${version}`);
    for (const { what, why } of skipped) print(`  not measured: ${what}: ${why}`);
  }
  const checked = reportSchema.parse(report);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(checked, null, 2)}\n`);
  return checked;
};

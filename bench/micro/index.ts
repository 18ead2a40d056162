import { CochleaError } from '../../src/errors/cochlea-error.js';
import type { Report } from '../report/envelope.js';
import { addOutcome, printHead, printOutcome, startReport } from '../report/report.js';
import { type ReportFiles, writeReport } from '../report/write.js';
import { codecSuite } from './codec.js';
import type { CompareOptions } from './compare.js';
import { cosineSuite } from './cosine.js';
import { vadSuite } from './detectors/vad.js';
import { encoderSuite } from './encoder.js';
import { frontSuite } from './front/front.js';
import { pacedSuite } from './paced.js';
import { type SuiteName, type SuiteOutcome, suiteNames } from './report.js';
import { resampleSuite } from './resample.js';
import { ringSuite } from './ring.js';
import type { Suite } from './suite.js';
import { turnSuite } from './turn.js';

const suites: Readonly<Record<SuiteName, Suite>> = {
  codec: codecSuite,
  resample: resampleSuite,
  vad: vadSuite,
  ring: ringSuite,
  cosine: cosineSuite,
  encoder: encoderSuite,
  turn: turnSuite,
  paced: pacedSuite,
  front: frontSuite,
};

export interface MicroOptions extends CompareOptions, ReportFiles {
  /** Names of the suites to run; empty: all suites. */
  readonly only: readonly string[];
  /** Prints one line of a table. */
  readonly print: (line: string) => void;
}

/**
 * Returns the requested suites.
 * @throws RangeError for an unknown name.
 */
export const chosenSuites = (only: readonly string[]): readonly SuiteName[] => {
  const unknown = only.find((name) => !(suiteNames as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new RangeError(`There is no suite "${unknown}". Suites: ${suiteNames.join(', ')}.`);
  return suiteNames.filter((name) => only.length === 0 || only.includes(name));
};

/** Runs a suite. Without the native core it only reports that the core is missing. */
export const runMicroSuite = async (name: SuiteName, options: CompareOptions): Promise<SuiteOutcome> => {
  try {
    return await suites[name](options);
  } catch (error) {
    if (!(error instanceof CochleaError) || error.code !== 'core_unavailable') throw error;
    const skipped = [{ suite: name, what: 'the whole suite', why: error.line }];
    return { results: [], selfNoise: [], skipped, versions: {} };
  }
};

/** Runs suites one after the other, prints a table for each suite, and writes the report. */
export const runMicro = async (options: MicroOptions): Promise<Report> => {
  const { only, json, markdown, html, rounds, warmUp, print } = options;
  const report = startReport();
  printHead(report, print);
  print(
    `CPU time, median of ${rounds} interleaved rounds, spread = interquartile range, ratio = paired with "against"`,
  );
  for (const name of chosenSuites(only)) {
    const outcome = await runMicroSuite(name, { rounds, warmUp });
    addOutcome(report, outcome);
    printOutcome(name, outcome, print);
  }
  return writeReport(report, { json, markdown, html });
};

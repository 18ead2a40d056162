import { fileURLToPath } from 'node:url';
import { reasonOf } from '../../src/errors/cochlea-error.js';
import { checkout } from '../checkout.js';
import { type FleetLoad, fleetMeasure, type Measure, microMeasure } from './arms.js';
import { buildCommit, commitOf, differingFiles, stateOf } from './build.js';
import { type AbOutcome, compareArms, measureRounds } from './compare.js';

export interface AbOptions {
  /** The checkout of the head arm; absent: this checkout. */
  readonly root?: string;
  /** The other commit, by any name that git resolves: a hash, branch or tag. */
  readonly ref: string;
  readonly rounds: number;
  /** Suites of `bench micro`. */
  readonly suites: readonly string[];
  /** Number of rounds inside each process of `bench micro`. */
  readonly innerRounds: number;
  /**
   * Fleet load to measure instead of `bench micro`. It is used if `useFleet` is set, or if the report of the other
   * commit is unreadable.
   */
  readonly load: FleetLoad;
  readonly useFleet: boolean;
  /** Receives progress messages for a terminal. */
  readonly tell: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Paths of the code that measures times. If this code differs between the commits, results may differ although the
 * product does not.
 */
const microSources = ['bench/micro', 'bench/packets', 'fixtures/speech'];

/**
 * Compares this checkout, including uncommitted changes, with another commit. Builds that commit in a separate folder.
 * In every round, runs two identical processes of each arm, one after the other. Marks only changes that exceed the
 * difference between identical processes.
 * @throws Error in one line when the commit does not exist or its build is impossible.
 */
export const runAb = async (options: AbOptions): Promise<AbOutcome> => {
  const {
    root = fileURLToPath(checkout),
    ref,
    rounds,
    suites,
    innerRounds,
    load,
    useFleet,
    tell,
    signal,
  } = options;
  const sha = await commitOf(ref, { root, signal });
  const base = await buildCommit(sha, { root, tell, signal });
  const folders = { A: base, B: root } as const;
  let measure: Measure = useFleet ? fleetMeasure(load) : microMeasure(suites, innerRounds);
  const notes = [];
  if (!useFleet) {
    const differing = await differingFiles(sha, microSources, { root, signal });
    if (differing > 0)
      notes.push({
        suite: 'ab',
        what: 'with one and the same driver',
        why: `${differing} files of ${microSources.join(', ')} differ between the two: check with --fleet`,
      });
    // This first run fills the caches, and shows whether the report of the commit is readable. Its results are
    // discarded.
    tell('once before it counts');
    await measure(folders.B, signal);
    try {
      await measure(folders.A, signal);
    } catch (error) {
      signal.throwIfAborted();
      notes.push({ suite: 'ab', what: `bench micro of ${ref}`, why: reasonOf(error) });
      tell(`${reasonOf(error)}; loading both with a fleet of ${load.streams} instead`);
      measure = fleetMeasure(load);
    }
  }
  const measured = await measureRounds(rounds, (seat, round) => {
    signal.throwIfAborted();
    tell(`round ${round + 1} of ${rounds}: ${seat}`);
    return measure(seat.startsWith('A') ? folders.A : folders.B, signal);
  });
  const outcome = compareArms(measured);
  return {
    ...outcome,
    skipped: [...notes, ...outcome.skipped],
    versions: { base: sha, head: await stateOf({ root, signal }) },
  };
};

import { Command, Option } from 'commander';
import {
  type CapacityArguments,
  type LoadArguments,
  loadOf,
  type MixArguments,
  withCapacityOptions,
  withFleetOptions,
  withMixOption,
  wordsOf,
} from '../command-line/fleet-options.js';
import { loadOption } from '../command-line/load-option.js';
import { runLoadSuite, type Watched } from '../command-line/load-suite.js';
import { withReportOptions } from '../command-line/report-suite.js';
import { wholeNumber } from '../command-line/whole-number.js';
import { wholeNumbers } from '../command-line/whole-numbers.js';
import { type HostileKind, hostileKinds, usualKinds } from '../hostile/hostile-kinds.js';
import { type RestKind, restKinds } from '../hostile/rest/kinds.js';
import type { ReportFiles, SuiteOutcome } from '../report/index.js';
import type { AskedLoad } from '../suites/asked-load.js';

interface Options extends LoadArguments, MixArguments, CapacityArguments, ReportFiles {
  readonly streams: AskedLoad;
  readonly seconds: number;
  readonly kinds?: HostileKind[];
  readonly rest: boolean;
  readonly only?: RestKind[];
  readonly rounds: number;
  readonly phase: number;
  readonly accounts: number[];
}

type Outcome = SuiteOutcome & { readonly failures: readonly string[] };

/** Limits that hostile clients should reach. All other suites lift these limits. */
const defended = { MAX_OPENS_PER_USER: '30', MAX_STREAMS_PER_USER: '8' } as const;

const runStreams = async (options: Options, watched: Watched): Promise<Outcome> => {
  const [{ runHostile }, { startEngine }] = await Promise.all([
    import('../suites/hostile.js'),
    import('../fleet/targets/engine-target.js'),
  ]);
  const { streams, kinds = [...usualKinds], seconds, cpus } = options;
  return runHostile({
    ...loadOf(options),
    ...watched,
    target: () => startEngine({ cpus, env: defended }),
    asked: streams,
    kinds,
    seconds,
    capacity: options,
  });
};

const runRest = async (options: Options, watched: Watched): Promise<Outcome> => {
  const { runHostileRest } = await import('../suites/rest/hostile-rest.js');
  const { only = restKinds, rounds, phase, accounts } = options;
  return runHostileRest({ ...watched, kinds: only, rounds, seconds: phase, accounts });
};

/**
 * Runs the measurements with streams, and then those with REST. If all requested kinds of clients belong to one of the
 * two, runs only that one.
 */
const run = async (options: Options): Promise<void> => {
  const restOnly = options.rest || options.only !== undefined;
  const parts = [
    ...(restOnly ? [] : [runStreams]),
    ...(restOnly || options.kinds === undefined ? [runRest] : []),
  ];
  await runLoadSuite('hostile', options, { stt: restOnly ? 'provider' : 'discard' }, async (watched) => {
    const outcomes: Outcome[] = [];
    for (const part of parts) outcomes.push(await part(options, watched));
    return {
      results: outcomes.flatMap(({ results }) => results),
      selfNoise: outcomes.flatMap(({ selfNoise }) => selfNoise),
      skipped: outcomes.flatMap(({ skipped }) => skipped),
      versions: Object.assign({}, ...outcomes.map(({ versions }) => versions)),
      series: outcomes.flatMap(({ series = [] }) => series),
      failures: outcomes.flatMap(({ failures }) => failures),
    };
  });
};

export const hostileCommand = (): Command => {
  const command = new Command('hostile')
    .description('honest wearables and users, with and without hostile ones beside them')
    .addOption(loadOption({ share: 0.5 }, '50%', 'honest streams'))
    .addOption(
      new Option(
        '--kinds <list>',
        `kinds of hostile streams, without REST: ${hostileKinds.join(', ')} (default: all but images and image-storm, then REST)`,
      ).argParser(wordsOf(hostileKinds)),
    )
    .option('--rest', 'run only the REST part, with all kinds of hostile accounts', false)
    .addOption(
      new Option(
        '--only <list>',
        `run only the REST part, with these kinds: ${restKinds.join(', ')}`,
      ).argParser(wordsOf(restKinds)),
    )
    .option('--rounds <number>', 'REST: rounds of each kind', wholeNumber, 4)
    .option('--phase <seconds>', 'REST: length of a phase; a round has two phases', wholeNumber, 3)
    .option(
      '--accounts <list>',
      'REST: numbers of accounts beside the honest user; rounds alternate between them',
      wholeNumbers,
      [2, 4],
    )
    .option(
      '--seconds <number>',
      'streams: measured seconds, once with and once without hostile clients',
      wholeNumber,
      60,
    );
  return withReportOptions(withCapacityOptions(withFleetOptions(withMixOption(command), 10), 20))
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea bench hostile
  $ cochlea bench hostile --streams 150 --seconds 30 --json hostile.json
  $ cochlea bench hostile --streams 100 --kinds images
  $ cochlea bench hostile --rest
  $ cochlea bench hostile --only search-text,slow-pages --rounds 8 --json accounts.json

Fails when an honest stream loses a frame or its connection, or when the p99 from a frame's arrival to its decision is more
than twice the undisturbed one (beside images alone: 1.5 times). With REST it also fails when an honest user's p99 is more than 1.5 times
that beside ordinary accounts with as many requests, when an answer to the honest user is 5xx or lost, when any answer is 504, or when a
process grows by more than 300 MiB.`,
    )
    .action(run);
};

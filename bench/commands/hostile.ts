import { Command, Option } from 'commander';
import { type HostileKind, hostileKinds, usualKinds } from '../hostile/hostile-kinds.js';
import type { ReportFiles } from '../report/index.js';
import type { AskedLoad } from '../suites/asked-load.js';
import { loadArgument } from './cost.js';
import {
  type CapacityArguments,
  type LoadArguments,
  loadOf,
  type MixArguments,
  withCapacityOptions,
  withFleetOptions,
  withMixOption,
  wordsOf,
} from './fleet-options.js';
import { runLoadSuite } from './load-suite.js';
import { withReportOptions } from './report-suite.js';
import { wholeNumber } from './whole-number.js';

interface Options extends LoadArguments, MixArguments, CapacityArguments, ReportFiles {
  readonly streams: AskedLoad;
  readonly seconds: number;
  readonly kinds: HostileKind[];
}

/** Limits that other suites lift and hostile clients have to meet. */
const defended = { MAX_OPENS_PER_USER: '30', MAX_STREAMS_PER_USER: '8' } as const;

const run = async (options: Options): Promise<void> => {
  const [{ runHostile }, { startEngine }] = await Promise.all([
    import('../suites/hostile.js'),
    import('../fleet/engine-target.js'),
  ]);
  const { streams, kinds, seconds, cpus } = options;
  await runLoadSuite('hostile', options, { stt: 'discard' }, (watched) =>
    runHostile({
      ...loadOf(options),
      ...watched,
      target: () => startEngine({ cpus, env: defended }),
      asked: streams,
      kinds,
      seconds,
      capacity: options,
    }),
  );
};

export const hostileCommand = (): Command => {
  const command = new Command('hostile')
    .description('honest wearables with and without as many hostile clients: what these cost them')
    .addOption(
      new Option('--streams <load>', 'honest streams, or a share of the capacity, which is found first')
        .argParser(loadArgument)
        .default({ share: 0.5 }, '50%'),
    )
    .addOption(
      new Option('--kinds <list>', `kinds of hostile clients: ${hostileKinds.join(', ')}`)
        .argParser(wordsOf(hostileKinds))
        .default([...usualKinds], 'all but images and image-storm'),
    )
    .option('--seconds <number>', 'time that counts, with and without', wholeNumber, 60);
  return withReportOptions(withCapacityOptions(withFleetOptions(withMixOption(command), 10), 20))
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea bench hostile
  $ cochlea bench hostile --streams 150 --seconds 30 --json hostile.json
  $ cochlea bench hostile --streams 100 --kinds images

Fails when an honest stream loses a frame or its connection, or when the p99 from a frame's arrival to its decision is more
than twice the undisturbed one (beside images alone: 1.5 times).`,
    )
    .action(run);
};

import { Command } from 'commander';
import type { ReportFiles } from '../report/index.js';
import {
  fleetOptionsOf,
  type LoadArguments,
  type MixArguments,
  withFleetOptions,
  withMixOption,
} from './fleet-options.js';
import { reportSuite, withReportOptions } from './report-suite.js';
import { wholeNumber } from './whole-number.js';
import { wholeNumbers } from './whole-numbers.js';

interface Options extends LoadArguments, MixArguments, ReportFiles {
  readonly streams: number[];
  readonly shards: number[];
  readonly seconds: number;
  readonly rounds: number;
}

const run = async (options: Options): Promise<void> => {
  const [{ runShardListener }, { openView }, { interruptible }] = await Promise.all([
    import('../experiments/shard-listener/suite.js'),
    import('../fleet/live-view.js'),
    import('../fleet/interruption.js'),
  ]);
  await interruptible((signal) =>
    reportSuite('shard-listener', options, { stt: 'discard' }, () =>
      runShardListener({
        ...options,
        ...fleetOptionsOf(options),
        view: openView(process.stderr, options.live),
        signal,
      }),
    ),
  );
};

/** The experiment whose results docs/experiments.md gives. */
export const shardListenerCommand = (): Command => {
  const command = new Command('shard-listener')
    .description('experiment: a listener on each shard against one listener and a ring to each shard')
    .option('--streams <list>', 'wearables, with commas between', wholeNumbers, [100, 300, 500])
    .option('--shards <list>', 'threads that hold sessions, with commas between', wholeNumbers, [1, 2])
    .option('--seconds <number>', 'time that counts', wholeNumber, 10)
    .option('--rounds <number>', 'interleaved rounds', wholeNumber, 3);
  return withReportOptions(withFleetOptions(withMixOption(command), 3))
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea bench shard-listener
  $ cochlea bench shard-listener --streams 300 --shards 1 --rounds 5 --json listeners.json`,
    )
    .action(run);
};

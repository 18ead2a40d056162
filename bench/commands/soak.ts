import { Command } from 'commander';
import {
  type CapacityArguments,
  type LoadArguments,
  loadOf,
  type MixArguments,
  withCapacityOptions,
  withFleetOptions,
  withMixOption,
} from '../command-line/fleet-options.js';
import { loadOption } from '../command-line/load-option.js';
import { runLoadSuite } from '../command-line/load-suite.js';
import { withReportOptions } from '../command-line/report-suite.js';
import { wholeNumber } from '../command-line/whole-number.js';
import type { ReportFiles } from '../report/index.js';
import type { AskedLoad } from '../suites/asked-load.js';

interface Options extends LoadArguments, MixArguments, CapacityArguments, ReportFiles {
  readonly minutes: number;
  readonly streams: AskedLoad;
}

const run = async (options: Options): Promise<void> => {
  const [{ runSoak }, { startEngine }] = await Promise.all([
    import('../suites/soak.js'),
    import('../fleet/targets/engine-target.js'),
  ]);
  const { streams, minutes, cpus } = options;
  await runLoadSuite('soak', options, { stt: 'discard' }, (watched) =>
    runSoak({
      ...loadOf(options),
      ...watched,
      target: () => startEngine({ cpus }),
      asked: streams,
      minutes,
      capacity: options,
    }),
  );
};

export const soakCommand = (): Command => {
  const command = new Command('soak')
    .description('a constant load for minutes: tests for memory growth and for losses without an overload')
    .option('--minutes <number>', 'measured minutes', wholeNumber, 30)
    .addOption(loadOption({ share: 0.7 }, '70%', 'streams'));
  return withReportOptions(withCapacityOptions(withFleetOptions(withMixOption(command), 60), 20))
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea bench soak --minutes 60
  $ cochlea bench soak --minutes 10 --streams 200 --material day --disconnect 60

Fails when memory grows by more than 1 % an hour with 95 % confidence, or when frames are dropped while the
server is within its service level.`,
    )
    .action(run);
};

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
  readonly streams: AskedLoad;
  readonly seconds: number;
  readonly conversations: number;
}

const run = async (options: Options): Promise<void> => {
  const [{ runJobs }, { startEngine }, { startBenchDatabase }] = await Promise.all([
    import('../suites/rest/jobs.js'),
    import('../fleet/targets/engine-target.js'),
    import('../suites/database.js'),
  ]);
  const { streams, seconds, conversations, cpus } = options;
  const database = await startBenchDatabase(true);
  try {
    await runLoadSuite('jobs', options, { stt: 'discard' }, (watched) =>
      runJobs({
        ...loadOf(options),
        ...watched,
        target: () => startEngine({ cpus, env: { DATABASE_URL: database.url } }),
        databaseUrl: database.url,
        asked: streams,
        conversations,
        seconds,
        capacity: options,
      }),
    );
  } finally {
    await database.remove();
  }
};

export const jobsCommand = (): Command => {
  const command = new Command('jobs')
    .description('live streams while many conversations finish: the delay that the jobs cause')
    .addOption(loadOption({ share: 0.5 }, '50%'))
    .option('--conversations <number>', 'conversations that finish during the measurement', wholeNumber, 1000)
    .option(
      '--seconds <number>',
      'measured seconds, once with and once without jobs; with --settle a minute',
      wholeNumber,
      50,
    );
  return withReportOptions(withCapacityOptions(withFleetOptions(withMixOption(command), 10), 20))
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea bench jobs
  $ cochlea bench jobs --streams 100 --json jobs.json

The built-in rules process the conversations. Fails when a conversation or a step is unfinished, when a frame is dropped, or when
the p99 from a frame's arrival to its decision is more than 1.5 times the undisturbed one.`,
    )
    .action(run);
};

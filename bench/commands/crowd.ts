import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { loadSettings } from '../../src/config/load-settings.js';
import { modelsDirectory } from '../../src/models/directory.js';
import { failOn } from '../command-line/fleet-options.js';
import { reportSuite, withReportOptions } from '../command-line/report-suite.js';
import { wholeNumber } from '../command-line/whole-number.js';
import { wholeNumbers } from '../command-line/whole-numbers.js';
import type { ReportFiles } from '../report/index.js';

interface Options extends ReportFiles {
  readonly people: number[];
  readonly seconds: number;
  readonly cpus?: string;
}

const run = async ({ people, seconds, cpus, ...files }: Options): Promise<void> => {
  const [{ runCrowd }, { startEngine }, { startBenchDatabase }, { interruptible }] = await Promise.all([
    import('../suites/crowd.js'),
    import('../fleet/targets/engine-target.js'),
    import('../suites/database.js'),
    import('../fleet/interruption.js'),
  ]);
  const dataDir = await mkdtemp(join(tmpdir(), 'cochlea-bench-'));
  // If root runs the bench, the engine changes to a different user, who must be able to traverse the folder.
  await chmod(dataDir, 0o755);
  const database = await startBenchDatabase(true);
  const { url } = database;
  const env = {
    COCHLEA_STT: 'provider',
    STT_SERVICE_MODELS: 'local',
    COCHLEA_MODELS_DIR: modelsDirectory(loadSettings().values),
    COCHLEA_DATA_DIR: dataDir,
    DATABASE_URL: url,
  };
  try {
    const { failures } = await interruptible((signal) =>
      reportSuite('crowd', files, { stt: 'local' }, (tell) =>
        runCrowd({
          people,
          seconds,
          databaseUrl: url,
          dataDir,
          target: () => startEngine({ ...(cpus === undefined ? {} : { cpus }), env }),
          tell,
          signal,
        }),
      ),
    );
    failOn([...failures]);
  } finally {
    await database.remove();
    await rm(dataDir, { recursive: true, force: true });
  }
};

export const crowdCommand = (): Command =>
  withReportOptions(
    new Command('crowd')
      .description('people who all speak at once, transcribed on this machine: tests that no word is lost')
      .option(
        '--people <list>',
        'numbers of people who speak at once, one run each; the first run is the reference',
        wholeNumbers,
        [1, 32],
      )
      .option('--seconds <number>', 'seconds that each person speaks', wholeNumber, 120)
      .option('--cpus <list>', 'CPUs that the server may run on, in the syntax of taskset'),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea bench crowd
  $ cochlea bench crowd --people 1,16 --seconds 60

Fails when the word error of a later run is more than half a percentage point above that of the first run, when an utterance is
lost, or when a person does not have exactly one conversation.`,
    )
    .action(run);

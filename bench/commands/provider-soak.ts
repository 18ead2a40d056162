import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { loadSettings } from '../../src/config/load-settings.js';
import { modelsDirectory } from '../../src/models/directory.js';
import { checkout } from '../checkout.js';
import { failOn } from '../command-line/fleet-options.js';
import { reportSuite, withReportOptions } from '../command-line/report-suite.js';
import { wholeNumber } from '../command-line/whole-number.js';
import type { ReportFiles } from '../report/index.js';
import type { StubJournal } from '../suites/speech/provider-soak.js';

interface Options extends ReportFiles {
  readonly wearables: number;
  readonly minutes: number;
  readonly failures: number;
  readonly disconnect: number;
  readonly failovers: number;
}

/** Seconds of audio between two results of the stub. */
const wordsEvery = 5;

interface Stub extends StubJournal {
  readonly socket: string;
  stop(): Promise<void>;
}

/** Starts the stub providers. Needs a checkout, because the stubs belong to the tests. */
const startStubs = async (percent: number): Promise<Stub[]> => {
  const module = new URL('dist/test/support/stub-provider/start.js', checkout).href;
  const { startStub } = (await import(module)) as {
    startStub: (seconds: number, lots: { name: string; percent: number }) => Promise<Stub>;
  };
  return Promise.all(['b', 'a'].map((name) => startStub(wordsEvery, { name, percent })));
};

const run = async ({
  wearables,
  minutes,
  failures: percent,
  disconnect,
  failovers,
  ...files
}: Options): Promise<void> => {
  const [{ runProviderSoak }, { startEngine }, { startBenchDatabase }, { interruptible }] = await Promise.all(
    [
      import('../suites/speech/provider-soak.js'),
      import('../fleet/targets/engine-target.js'),
      import('../suites/database.js'),
      import('../fleet/interruption.js'),
    ],
  );
  const dataDir = await mkdtemp(join(tmpdir(), 'cochlea-bench-'));
  // If root runs the bench, the engine changes to a different user, who must be able to traverse the folder.
  await chmod(dataDir, 0o755);
  const [database, stubs] = await Promise.all([startBenchDatabase(true), startStubs(percent)]);
  const env = {
    COCHLEA_STT: 'provider',
    // After failures the engine skips both stubs for a while. The local transcriber then processes new and retained
    // audio.
    STT_SERVICE_MODELS: 'provider_b,provider_a,local',
    STT_FAILOVERS: String(failovers),
    STT_ANSWER_TIMEOUT: '10000',
    STT_BREAKER_PAUSE: '3000',
    COCHLEA_TEST_PROVIDERS: new URL('dist/test/support/stub-provider/module.js', checkout).pathname,
    COCHLEA_STUBS: stubs.map(({ socket }, index) => `provider_${'ba'[index]}=${socket}`).join(','),
    COCHLEA_MODELS_DIR: modelsDirectory(loadSettings().values),
    COCHLEA_DATA_DIR: dataDir,
    DATABASE_URL: database.url,
  };
  try {
    const { failures } = await interruptible((signal) =>
      reportSuite('provider-soak', files, { stt: 'stubs', percent, failovers }, (tell) =>
        runProviderSoak({
          wearables,
          minutes,
          disconnect,
          database,
          dataDir,
          stubs,
          target: () => startEngine({ env }),
          tell,
          signal,
        }),
      ),
    );
    failOn([...failures]);
  } finally {
    await Promise.all(stubs.map((stub) => stub.stop()));
    await database.remove();
    await rm(dataDir, { recursive: true, force: true });
  }
};

export const providerSoakCommand = (): Command =>
  withReportOptions(
    new Command('provider-soak')
      .description(
        'wearables with failing providers, a database restart and a killed sidecar: tests that no word is lost or duplicated',
      )
      .option('--wearables <number>', 'concurrent wearables', wholeNumber, 200)
      .option('--minutes <number>', 'minutes of speech', wholeNumber, 10)
      .option('--failures <percent>', 'percentage of streams that fail per minute', wholeNumber, 5)
      .option(
        '--failovers <number>',
        'maximum number of times that another provider takes over a stream; 0: the client reconnects',
        Number,
        0,
      )
      .option('--disconnect <s>', 'mean time after which a wearable loses its connection', wholeNumber, 60),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea bench provider-soak
  $ cochlea bench provider-soak --wearables 50 --minutes 3

Two providers are stubs in their own processes, each with a journal of the words that it sent. Fails when one of these words is
not stored exactly once, when an utterance is lost, when retained audio is left, or when a user has more than two conversations.
The second one may begin while the database is away.`,
    )
    .action(run);

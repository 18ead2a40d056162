import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { loadSettings } from '../../../src/config/load-settings.js';
import { modelsDirectory } from '../../../src/models/directory.js';
import { failOn } from '../../command-line/fleet-options.js';
import { pausesOf } from '../../command-line/pauses.js';
import { reportSuite, withReportOptions } from '../../command-line/report-suite.js';
import { wholeNumber } from '../../command-line/whole-number.js';
import { recordings } from '../../languages/recordings.js';
import type { ReportFiles } from '../../report/index.js';
import type { Pauses } from '../../words/material.js';

/** Speech model that decodes every language of the suite. */
const model = 'whisper-base';

interface Options extends ReportFiles {
  readonly speakers: number;
  readonly minutes: number;
  readonly languages: readonly string[];
  readonly killsEvery: number;
  readonly serviceKills: number;
  readonly sentences: number;
  readonly pauses: Pauses;
  readonly seed: number;
}

const languagesOf = (text: string): string[] => {
  const languages = text.split(',');
  const unknown = languages.find((language) => !Object.hasOwn(recordings, language));
  if (unknown === undefined && new Set(languages).size === languages.length) return languages;
  throw new InvalidArgumentError(`different languages among ${Object.keys(recordings).join(', ')}`);
};

const run = async (options: Options): Promise<void> => {
  const { speakers: count, minutes, killsEvery, serviceKills, seed, pauses } = options;
  const [
    { runLanguageSoak },
    { prepareSpeakers },
    { KeptTexts },
    { loadSentenceDecoder },
    { startEngine },
    { startBenchDatabase },
    { interruptible },
    { loggedAnswers },
  ] = await Promise.all([
    import('../../suites/speech/language-soak.js'),
    import('../../languages/speakers.js'),
    import('../../languages/kept-texts.js'),
    import('../../keywords/transcriber.js'),
    import('../../fleet/targets/engine-target.js'),
    import('../../suites/database.js'),
    import('../../fleet/interruption.js'),
    import('../../words/answers.js'),
  ]);
  const dataDir = await mkdtemp(join(tmpdir(), 'cochlea-bench-'));
  // If root runs the bench, the engine changes to a different user, who must be able to traverse the folder.
  await chmod(dataDir, 0o755);
  const database = await startBenchDatabase(true);
  const env = {
    COCHLEA_STT: 'provider',
    STT_SERVICE_MODELS: 'local',
    TRANSCRIBER_MODELS: `whisper-tiny.en,${model}`,
    COCHLEA_MODELS_DIR: modelsDirectory(loadSettings().values),
    COCHLEA_DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    ...loggedAnswers,
  };
  const settings = { seed, killsEvery, serviceKills, pauses: `${pauses.least},${pauses.most}` };
  try {
    const { failures } = await interruptible((signal) =>
      reportSuite('language-soak', options, settings, async (tell) => {
        tell(`seed ${seed}`);
        const texts = await KeptTexts.open(model);
        const decode = await loadSentenceDecoder(model);
        const textOf = async (pcm: Int16Array, language: string): Promise<string> =>
          (await decode(pcm, [], language)).text;
        const speakers = await prepareSpeakers({ ...options, speakers: count, textOf, texts, tell, signal });
        return runLanguageSoak({
          speakers,
          minutes,
          killsEvery,
          serviceKills,
          seed,
          databaseUrl: database.url,
          dataDir,
          target: () => startEngine({ env }),
          tell,
          signal,
        });
      }),
    );
    failOn([...failures]);
  } finally {
    await database.remove();
    await rm(dataDir, { recursive: true, force: true });
  }
};

export const languageSoakCommand = (): Command =>
  withReportOptions(
    new Command('language-soak')
      .description(
        'speakers of several languages while decoders are killed: tests that no word is lost or misplaced',
      )
      .option('--speakers <number>', 'streams at once, divided evenly among the languages', wholeNumber, 40)
      .option('--minutes <number>', 'minutes of speech', wholeNumber, 60)
      .addOption(
        new Option('--languages <list>', 'languages of the streams')
          .argParser(languagesOf)
          .default(['en', 'fr', 'nl', 'cs'], 'en,fr,nl,cs'),
      )
      .option('--kills-every <s>', 'mean time between two kills of a decoder', wholeNumber, 60)
      .option(
        '--service-kills <number>',
        'number of times that the transcription service is killed',
        wholeNumber,
        3,
      )
      .option('--sentences <number>', 'sentences of each stream, which it repeats', wholeNumber, 10)
      .addOption(
        new Option('--pauses <least,most>', 'ms between two sentences')
          .argParser(pausesOf)
          .default({ least: 2000, most: 4000 }, '2000,4000'),
      )
      .option('--seed <number>', 'decides sentences, pauses and kills', wholeNumber, 1),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea bench language-soak
  $ cochlea bench language-soak --speakers 16 --minutes 5 --kills-every 30

Fails when a sentence is not stored exactly once in its own stream, when a model of another language wrote a text, when an utterance
has no final text, when retained audio is left, when the server closes a stream, or, from 30 minutes on, when memory grows.`,
    )
    .action(run);

import { writeFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { reportSuite, withReportOptions } from '../../command-line/report-suite.js';
import { wholeNumber } from '../../command-line/whole-number.js';
import { interruptible } from '../../fleet/interruption.js';
import type { ReportFiles } from '../../report/write.js';

const languages = ['en', 'fr', 'multi'] as const;
const codecs = ['opus', 'pcm8', 'pcm16'] as const;

interface Options extends ReportFiles {
  readonly models: string;
  readonly codec: (typeof codecs)[number];
  readonly language: (typeof languages)[number];
  readonly streams: number;
  readonly interim: boolean;
  readonly texts?: string;
}

/** Returns the talks of a language. @throws Error that names the missing programs if the material cannot be fetched. */
const talksIn = async (language: Options['language'], streams: number) => {
  const { readSentences } = await import('../../keywords/material.js');
  const { talksOfSpeakers } = await import('../../accuracy/english.js');
  const { frenchSentences, talksOfPrompts } = await import('../../accuracy/french.js');
  const en = language === 'fr' ? [] : ((await readSentences()) ?? []);
  if (language !== 'fr' && en.length === 0)
    throw new Error('the English sentences cannot be fetched: git, ffmpeg and a network are needed');
  const fr = language === 'en' ? [] : ((await frenchSentences()) ?? []);
  if (language !== 'en' && fr.length === 0)
    throw new Error(
      'the French prompts cannot be fetched: apt-get of Debian, ffmpeg and a network are needed',
    );
  if (language === 'en') return talksOfSpeakers(en);
  if (language === 'fr') return talksOfPrompts(fr);
  const { bilingualTalks } = await import('../../accuracy/bilingual.js');
  return bilingualTalks({ en, fr }, streams);
};

const material = {
  en: 'LibriSpeech test-other',
  fr: 'French telephone prompts',
  multi: 'conversations in English and French',
} as const;

export const accuracyCommand = (): Command =>
  withReportOptions(
    new Command('accuracy')
      .description('word error of the final texts on the socket')
      .option(
        '--models <names>',
        'speech models of the server, the cheapest first, separated by commas',
        'whisper-tiny.en,whisper-base',
      )
      .addOption(new Option('--codec <name>', 'codec of the streams').choices(codecs).default('opus'))
      .addOption(new Option('--language <code>', 'language of the streams').choices(languages).default('en'))
      .option('--streams <number>', 'number of talks at the same time', wholeNumber, 10)
      .option('--no-interim', 'final words only (INTERIM_WORDS=false), which takes less CPU')
      .option('--texts <file>', 'also write each sentence and the received texts to this JSON file'),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea bench accuracy
  $ cochlea bench accuracy --models whisper-base --codec pcm8 --json accuracy.json
  $ cochlea bench accuracy --language fr --models whisper-base
  $ cochlea bench accuracy --language multi --models whisper-base --streams 5

The English sentences are fetched with git, the French prompts with apt-get; both are read with ffmpeg. With "multi", each
stream is a conversation of 12 minutes in both languages.`,
    )
    .action(async ({ models, codec, language, streams, interim, texts, ...files }: Options) => {
      const { startAccuracyServer } = await import('../../accuracy/server.js');
      const { loadDetect } = await import('../../accuracy/bilingual.js');
      const { runAccuracy } = await import('../../suites/speech/accuracy.js');
      const talks = await talksIn(language, streams);
      const detect = language === 'multi' ? await loadDetect() : undefined;
      const { received } = await interruptible((signal) =>
        reportSuite('accuracy', files, { stt: 'local' }, (tell) =>
          runAccuracy({
            talks,
            measured: { material: material[language], codec, mode: models },
            streams,
            open: () => startAccuracyServer({ models: models.split(','), codec, language, interim }),
            detect,
            tell,
            signal,
          }),
        ),
      );
      if (texts === undefined) return;
      const lines = received.map(({ talk: { name, sentences }, received: { text, added } }) => ({
        name,
        sentences,
        text,
        added,
      }));
      await writeFile(texts, `${JSON.stringify(lines, null, 1)}\n`);
    });

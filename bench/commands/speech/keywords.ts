import { Command, Option } from 'commander';
import { reportSuite, withReportOptions } from '../../command-line/report-suite.js';
import { wholeNumber } from '../../command-line/whole-number.js';
import { interruptible } from '../../fleet/interruption.js';
import type { Band } from '../../keywords/transcriber.js';
import type { ReportFiles } from '../../report/write.js';

interface Options extends ReportFiles {
  readonly models: string;
  readonly band?: Band;
  readonly sentences: number;
}

export const keywordsCommand = (): Command =>
  withReportOptions(
    new Command('keywords')
      .description('recall of rare words and word error with and without custom words')
      .option('--models <names>', 'speech models, separated by commas', 'whisper-tiny.en,whisper-base')
      .addOption(new Option('--band <name>', 'one kind of audio only').choices(['16 kHz', '8 kHz']))
      .option('--sentences <number>', 'number of read sentences', wholeNumber, 100),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea bench keywords
  $ cochlea bench keywords --models whisper-base --band "8 kHz" --sentences 20 --json keywords.json

The sentences are fetched with git and read with ffmpeg. Thresholds may be chosen on sentences of the half "choosing" only.`,
    )
    .action(async ({ models, band, sentences: most, ...files }: Options) => {
      const { readSentences } = await import('../../keywords/material.js');
      const { bands, loadSentenceDecoder } = await import('../../keywords/transcriber.js');
      const { runKeywords } = await import('../../suites/speech/keywords.js');
      const sentences = (await readSentences())?.slice(0, most) ?? [];
      if (sentences.length === 0)
        throw new Error('the sentences cannot be fetched: git, ffmpeg and a network are needed');
      const { results } = await interruptible((signal) =>
        reportSuite('keywords', files, { sentences: sentences.length }, (tell) =>
          runKeywords({
            sentences,
            models: models.split(',').map((name) => ({ name, load: () => loadSentenceDecoder(name) })),
            bands: band === undefined ? bands : [band],
            tell,
            signal,
          }),
        ),
      );
      if (results.length === 0) process.exitCode = 1;
    });

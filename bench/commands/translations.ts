import { Command } from 'commander';
import { failOn } from '../command-line/fleet-options.js';
import { reportSuite, withReportOptions } from '../command-line/report-suite.js';
import { wholeNumber } from '../command-line/whole-number.js';
import { interruptible } from '../fleet/interruption.js';
import type { ReportFiles } from '../report/write.js';

interface Options extends ReportFiles {
  readonly streams: number;
  readonly seconds: number;
}

export const translationsCommand = (): Command =>
  withReportOptions(
    new Command('translations')
      .description('delay of translated segments, compared with segments without translation')
      .option(
        '--streams <number>',
        'number of streams with translation; the same number has none',
        wholeNumber,
        20,
      )
      .option(
        '--seconds <number>',
        'time for each state of the model: well, slow, wrong, away',
        wholeNumber,
        20,
      ),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea bench translations
  $ cochlea bench translations --streams 50 --seconds 30 --json translations.json

Fails when the p99 from a text to its segment is more than 1.5 times that of streams without translations, in the same run, or when
nothing is translated while the model is well.`,
    )
    .action(async ({ streams, seconds, ...files }: Options) => {
      const { runTranslations } = await import('../suites/speech/translations.js');
      await interruptible(async (signal) => {
        const { failures } = await reportSuite('translations', files, { stt: 'discard' }, (tell) =>
          runTranslations({ streams, seconds, tell, signal }),
        );
        failOn(failures);
      });
    });

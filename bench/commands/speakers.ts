import { Command } from 'commander';
import { interruptible } from '../fleet/interruption.js';
import type { ReportFiles } from '../report/write.js';
import { reportSuite, withReportOptions } from './report-suite.js';
import { wholeNumber } from './whole-number.js';

interface Options extends ReportFiles {
  readonly voices?: string;
  readonly seconds: number;
  readonly conversations: number;
}

export const speakersCommand = (): Command =>
  withReportOptions(
    new Command('speakers')
      .description('how well the voices of a stream are told apart')
      .option('--voices <folder>', 'a folder with one of FLAC or WAV files, mono 16 kHz, for each voice')
      .option('--seconds <number>', 'length of a conversation', wholeNumber, 120)
      .option('--conversations <number>', 'conversations of each kind', wholeNumber, 3),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ npm run bench -- speakers
  $ npm run bench -- speakers --voices ~/voices --conversations 5 --json speakers.json

Fails when the error of the labels is larger than its bound, or one voice is split.`,
    )
    .action(async (options: Options) => {
      const [{ runSpeakers }, { isKept, shownBounds }] = await Promise.all([
        import('../suites/speakers.js'),
        import('../rest/bounds.js'),
      ]);
      const { seconds, conversations } = options;
      const { bounds } = await interruptible((signal) =>
        reportSuite('speakers', options, { seconds, conversations }, (tell) =>
          runSpeakers({ ...options, tell, signal }),
        ),
      );
      for (const line of shownBounds(bounds)) process.stdout.write(`${line}\n`);
      if (!bounds.every(isKept)) process.exitCode = 1;
    });

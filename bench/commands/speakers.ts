import { Command } from 'commander';
import { reportSuite, withReportOptions } from '../command-line/report-suite.js';
import { wholeNumber } from '../command-line/whole-number.js';
import { interruptible } from '../fleet/interruption.js';
import type { ReportFiles } from '../report/write.js';

interface Options extends ReportFiles {
  readonly voices?: string;
  readonly seconds: number;
  readonly conversations: number;
  readonly live?: boolean;
}

export const speakersCommand = (): Command =>
  withReportOptions(
    new Command('speakers')
      .description('quality of diarization: how well the speakers of a stream are labelled')
      .option(
        '--voices <folder>',
        'folder with one subfolder of FLAC or WAV files (mono, 16 kHz) per voice; all voices are used',
      )
      .option(
        '--live',
        'measure four concurrent wearables on the complete product instead, compared with SPEAKER_DIARIZATION=off',
      )
      .option('--seconds <number>', 'length of a conversation', wholeNumber, 120)
      .option('--conversations <number>', 'conversations of each kind', wholeNumber, 3),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ npm run bench -- speakers
  $ npm run bench -- speakers --voices ~/voices --conversations 5 --json speakers.json
  $ npm run bench -- speakers --live --seconds 90

Fails when the error of the labels is larger than its bound, one voice is split, or words come later because of labels;
also when nothing could be measured.`,
    )
    .action(async (options: Options) => {
      const { isKept, shownBounds } = await import('../rest/bounds.js');
      const { seconds, conversations, live = false } = options;
      const run = live
        ? (await import('../suites/speech/live-speakers.js')).runLiveSpeakers
        : (await import('../suites/speech/speakers.js')).runSpeakers;
      const { bounds } = await interruptible((signal) =>
        reportSuite('speakers', options, { seconds, conversations }, (tell) =>
          run({ ...options, tell, signal }),
        ),
      );
      for (const line of shownBounds(bounds)) process.stdout.write(`${line}\n`);
      if (bounds.length === 0 || !bounds.every(isKept)) process.exitCode = 1;
    });

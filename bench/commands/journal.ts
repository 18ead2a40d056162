import { Command } from 'commander';
import { reportSuite, withReportOptions } from '../command-line/report-suite.js';
import { wholeNumber } from '../command-line/whole-number.js';
import { wholeNumbers } from '../command-line/whole-numbers.js';
import { interruptible } from '../fleet/interruption.js';
import type { ReportFiles } from '../report/write.js';

interface Options extends ReportFiles {
  readonly batches: number[];
  readonly shards: number[];
  readonly seconds: number;
  readonly rounds: number;
  readonly spill: number;
  readonly durable: boolean;
}

export const journalCommand = (): Command =>
  withReportOptions(
    new Command('journal')
      .description('durable segments per second: into the database, into the spill, and back from the spill')
      .option('--batches <list>', 'numbers of segments per commit', wholeNumbers, [1, 10, 100, 400])
      .option('--shards <list>', 'numbers of shards that commit at once', wholeNumbers, [1, 2])
      .option('--seconds <number>', 'length of a measurement', wholeNumber, 2)
      .option('--rounds <number>', 'interleaved rounds', wholeNumber, 3)
      .option('--spill <commits>', 'maximum number of commits spilled in a measurement', wholeNumber, 200)
      .option('--no-durable', 'commits do not wait for the disk (results are too good)'),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ npm run bench -- journal
  $ npm run bench -- journal --batches 1,100 --shards 1 --rounds 1 --json journal.json

Fails when an acknowledged segment is not in the database exactly once at the end.`,
    )
    .action(async (options: Options) => {
      const { runJournal } = await import('../suites/journal/journal.js');
      const { seconds, spill, ...rest } = options;
      await interruptible((signal) =>
        reportSuite('journal', options, { fsync: options.durable ? 'on' : 'off' }, (tell) =>
          runJournal({ ...rest, milliseconds: seconds * 1000, spillEntries: spill, tell, signal }),
        ),
      );
    });

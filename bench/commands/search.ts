import { Command } from 'commander';
import { reportSuite, withReportOptions } from '../command-line/report-suite.js';
import { wholeNumber } from '../command-line/whole-number.js';
import { interruptible } from '../fleet/interruption.js';
import type { ReportFiles } from '../report/write.js';

interface Options extends ReportFiles {
  readonly memories: number;
  readonly queries: number;
  readonly rounds: number;
}

export const searchCommand = (): Command =>
  withReportOptions(
    new Command('search')
      .description('search in the memories of one user, compared with pgvector and numpy')
      .option('--memories <number>', 'memories of the user', wholeNumber, 10_000)
      .option('--queries <number>', 'queries of a measurement', wholeNumber, 200)
      .option('--rounds <number>', 'interleaved rounds', wholeNumber, 3),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ npm run bench -- search
  $ npm run bench -- search --memories 1000 --queries 50 --rounds 1 --json search.json

Fails when a query takes more CPU than with pgvector's exact scan, or when one of the ten nearest is missed.`,
    )
    .action(async (options: Options) => {
      const [{ runSearch }, { isKept, shownBounds }] = await Promise.all([
        import('../suites/rest/search.js'),
        import('../rest/bounds.js'),
      ]);
      const { memories, queries } = options;
      const { bounds } = await interruptible((signal) =>
        reportSuite('search', options, { memories, queries }, (tell) =>
          runSearch({ ...options, tell, signal }),
        ),
      );
      for (const line of shownBounds(bounds)) process.stdout.write(`${line}\n`);
      if (!bounds.every(isKept)) process.exitCode = 1;
    });

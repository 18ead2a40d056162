import { Command } from 'commander';
import { withReportOptions } from '../command-line/report-suite.js';
import { wholeNumber } from '../command-line/whole-number.js';
import { suiteNames } from '../micro/report.js';
import type { ReportFiles } from '../report/write.js';

export const microCommand = (): Command =>
  withReportOptions(
    new Command('micro')
      .description('cost of a frame, a window and a call in each part, compared with other implementations')
      .option('--only <suite...>', `suites to run: ${suiteNames.join(', ')}`, []),
  )
    .option('--rounds <number>', 'interleaved rounds that count', wholeNumber, 15)
    .addHelpText(
      'after',
      `
Examples:
  $ npm run bench -- micro
  $ npm run bench -- micro --only vad turn --json report.json`,
    )
    .action(async (options: ReportFiles & { only: string[]; rounds: number }) => {
      const { chosenSuites, runMicro } = await import('../micro/index.js');
      chosenSuites(options.only);
      await runMicro({ ...options, warmUp: 2, print: (line) => process.stdout.write(`${line}\n`) });
    });

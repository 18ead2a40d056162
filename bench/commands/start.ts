import { Command, Option } from 'commander';
import { reportSuite, withReportOptions } from '../command-line/report-suite.js';
import { wholeNumber } from '../command-line/whole-number.js';
import { interruptible } from '../fleet/interruption.js';
import type { ReportFiles } from '../report/write.js';

const modesOf = { new: 'up, new folder', existing: 'up, existing folder', engine: 'engine' } as const;
const names = Object.keys(modesOf) as (keyof typeof modesOf)[];

interface Options extends ReportFiles {
  readonly only: (keyof typeof modesOf)[];
  readonly rounds: number;
}

export const startCommand = (): Command =>
  withReportOptions(
    new Command('start')
      .description('time from the start of a process to its first accepted and decided frame')
      .addOption(
        new Option(
          '--only <way...>',
          'ways to start: "cochlea up" in a new or existing folder, "cochlea engine"',
        )
          .choices(names)
          .default(names),
      )
      .option('--rounds <number>', 'interleaved rounds', wholeNumber, 5),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ npm run bench -- start
  $ npm run bench -- start --only engine --rounds 9 --json start.json`,
    )
    .action(async ({ only, rounds, ...files }: Options) => {
      const { runStart } = await import('../suites/start.js');
      const modes = names.filter((name) => only.includes(name)).map((name) => modesOf[name]);
      await interruptible((signal) =>
        reportSuite('start', files, { stt: 'discard', page_cache: 'warm' }, (tell) =>
          runStart({ modes, rounds, tell, signal }),
        ),
      );
    });

import { Command, InvalidArgumentError } from 'commander';
import { reportSuite, withReportOptions } from '../command-line/report-suite.js';
import { wholeNumber } from '../command-line/whole-number.js';
import type { ReportFiles } from '../report/index.js';

interface Options extends ReportFiles {
  readonly rounds: number;
  readonly only: string[];
  readonly inner: number;
  readonly fleet?: number;
  readonly seconds: number;
  readonly fail?: boolean;
}

/** Number of streams of the fleet load, which replaces `bench micro` if the other commit's report is unreadable. */
const usualStreams = 100;

/** Minimum number of rounds. With fewer rounds, results agree by chance too often. */
const leastRounds = 3;

const enoughRounds = (text: string): number => {
  const rounds = wholeNumber(text);
  if (rounds < leastRounds) throw new InvalidArgumentError(`at least ${leastRounds}`);
  return rounds;
};

const run = async (ref: string, options: Options): Promise<void> => {
  const { rounds, only: suites, inner: innerRounds, fleet, seconds, fail } = options;
  const [{ runAb }, { verdictLines }, { interruptible }] = await Promise.all([
    import('../ab/index.js'),
    import('../ab/compare.js'),
    import('../fleet/interruption.js'),
  ]);
  let lines: string[] = [];
  let worse = false;
  await interruptible((signal) =>
    reportSuite('ab', options, { ref }, async (tell) => {
      const load = { streams: fleet ?? usualStreams, seconds };
      const useFleet = fleet !== undefined;
      const outcome = await runAb({ ref, rounds, suites, innerRounds, load, useFleet, tell, signal });
      const { changes, ...rest } = outcome;
      lines = verdictLines(changes);
      worse = changes.some(({ verdict }) => verdict === 'worse');
      return rest;
    }),
  );
  process.stdout.write(`\n${lines.join('\n')}\n`);
  if (fail && worse) process.exitCode = 1;
};

export const abCommand = (): Command =>
  withReportOptions(
    new Command('ab')
      .description('compare the costs of this checkout with those of another commit')
      .argument('<ref>', 'the other commit; it is built beside this one, once')
      .option('--rounds <number>', 'rounds of two processes for each arm', enoughRounds, 5)
      .option('--only <suite...>', 'suites of "bench micro"', ['turn', 'vad'])
      .option('--inner <number>', 'rounds inside each process of "bench micro"', wholeNumber, 1)
      .option('--fleet <streams>', 'load complete servers with this number of streams instead', wholeNumber)
      .option('--seconds <number>', 'measured seconds of each load', wholeNumber, 15)
      .option('--fail', 'exit 1 when something became worse'),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ npm run bench -- ab HEAD~1
  $ npm run bench -- ab main --only turn --rounds 9 --json ab.json
  $ npm run bench -- ab main --fleet 200 --fail

A comparison of HEAD with itself marks no change. Builds stay in build/ab; "git worktree remove --force" frees their space.`,
    )
    .action(run);

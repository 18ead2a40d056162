import { Command } from 'commander';
import { withReportOptions } from '../command-line/report-suite.js';
import { addOutcome, printHead, startReport } from '../report/report.js';
import { type ReportFiles, writeReport } from '../report/write.js';

interface Options extends ReportFiles {
  readonly live: boolean;
}

const run = async (options: Options): Promise<void> => {
  const [{ fiveMinutes, runParts, summaryTable }, { interruptible }] = await Promise.all([
    import('../suites/all.js'),
    import('../fleet/interruption.js'),
  ]);
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const report = startReport({ settings: { stt: 'discard' } });
  printHead(report, print);
  const began = performance.now();
  const tell = (line: string): void => {
    const elapsed = ((performance.now() - began) / 1000).toFixed(0).padStart(4);
    process.stderr.write(`${elapsed} s  ${line}\n`);
  };
  await interruptible((signal) =>
    runParts(fiveMinutes, { tell, signal, live: options.live }, (outcome) => addOutcome(report, outcome)),
  );
  print(`\n${summaryTable(report.results)}`);
  for (const { suite, what, why } of report.skipped) print(`not measured: ${suite}: ${what}: ${why}`);
  const noise = report.self_noise.map(({ ratio }) => Math.abs(ratio - 1));
  if (noise.length > 0) {
    print(`What was measured twice differs from itself by up to ${(Math.max(...noise) * 100).toFixed(0)} %.`);
  }
  print('A look around: "npm run bench -- <suite>" measures longer and tells the noise of each cost.');
  writeReport(report, options);
};

export const allCommand = (): Command =>
  withReportOptions(
    new Command('all')
      .description('an overview of all suites in about five minutes, as one table (the default)')
      .option('--live', 'update a few lines in place on a terminal', true)
      .option('--no-live', 'print plain lines on a terminal, too'),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ npm run bench
  $ npm run bench -- all --json all.json --html all.html`,
    )
    .action(run);

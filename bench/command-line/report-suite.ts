import type { Command } from 'commander';
import type { Settings, SuiteOutcome } from '../report/envelope.js';
import { addOutcome, printHead, printOutcome, startReport } from '../report/report.js';
import { type ReportFiles, writeReport } from '../report/write.js';

/** Adds the options for the report of a suite. */
export const withReportOptions = (command: Command): Command =>
  command
    .option('--json <file>', 'also write the report to this JSON file')
    .option('--markdown <file>', 'also write it as Markdown tables')
    .option('--html <file>', 'also write it as an HTML page with plots');

/**
 * Runs one suite, prints its results and writes the report.
 * @param settings settings that affect the results but are not fields of the rows.
 * @param run receives a function that prints the current step on the terminal.
 */
export const reportSuite = async <Outcome extends SuiteOutcome>(
  suite: string,
  files: ReportFiles,
  settings: Settings,
  run: (tell: (line: string) => void) => Promise<Outcome>,
): Promise<Outcome> => {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const report = startReport({ settings });
  printHead(report, print);
  const outcome = await run((line) => process.stderr.write(`${suite}: ${line}\n`));
  addOutcome(report, outcome);
  printOutcome(suite, outcome, print);
  writeReport(report, files);
  return outcome;
};

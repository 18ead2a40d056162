import { Command } from 'commander';
import { reportSuite, withReportOptions } from '../command-line/report-suite.js';
import { wholeNumber } from '../command-line/whole-number.js';
import { interruptible } from '../fleet/interruption.js';
import type { ReportFiles } from '../report/write.js';

interface Options extends ReportFiles {
  readonly users: number;
  readonly memories: number;
  readonly rate: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly warmUp: number;
  readonly durable: boolean;
}

export const mcpCommand = (): Command =>
  withReportOptions(
    new Command('mcp')
      .description('calls of get_memories at a constant rate, compared with the server of the MCP SDK')
      .option(
        '--users <number>',
        'number of users, each with a session; calls alternate between them',
        wholeNumber,
        100,
      )
      .option('--memories <number>', 'memories of each user', wholeNumber, 20)
      .option('--rate <number>', 'calls a second', wholeNumber, 200)
      .option('--seconds <number>', 'length of a measurement', wholeNumber, 6)
      .option('--rounds <number>', 'interleaved rounds', wholeNumber, 5)
      .option('--warm-up <seconds>', 'seconds of warm-up at twice the rate on each server', wholeNumber, 8)
      .option(
        '--durable',
        'the database waits for the disk; disk delays then dominate the p99 of both',
        false,
      ),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ npm run bench -- mcp
  $ npm run bench -- mcp --memories 100 --json mcp.json

Fails when a call failed, when the two servers answer differently, or when the tool server takes more CPU a call or has a larger p99 than
the server of the SDK.`,
    )
    .action(async (options: Options) => {
      const [{ runMcp }, { isKept, shownBounds }, { failedRows }] = await Promise.all([
        import('../suites/rest/mcp.js'),
        import('../rest/bounds.js'),
        import('../suites/rest/requests.js'),
      ]);
      const { users, memories, rate, seconds, durable } = options;
      const { results, bounds } = await interruptible((signal) =>
        reportSuite('mcp', options, { users, memories, rate, durable, log_level: 'info' }, (tell) =>
          runMcp({
            ...options,
            milliseconds: seconds * 1000,
            warmUp: options.warmUp * 1000,
            tell,
            signal,
          }),
        ),
      );
      for (const line of shownBounds(bounds)) process.stdout.write(`${line}\n`);
      const failed = failedRows(results).length > 0;
      if (failed) process.stderr.write('mcp: calls failed or were refused\n');
      if (failed || !bounds.every(isKept)) process.exitCode = 1;
    });

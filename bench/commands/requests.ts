import { Command } from 'commander';
import { reportSuite, withReportOptions } from '../command-line/report-suite.js';
import { wholeNumber } from '../command-line/whole-number.js';
import { wholeNumbers } from '../command-line/whole-numbers.js';
import { interruptible } from '../fleet/interruption.js';
import type { ReportFiles } from '../report/write.js';

interface Options extends ReportFiles {
  readonly conversations: number;
  readonly segments: number;
  readonly connections: number[];
  readonly seconds: number;
  readonly rounds: number;
  readonly rateLimitBoost: number;
  readonly durable: boolean;
}

export const requestsCommand = (): Command =>
  withReportOptions(
    new Command('requests')
      .description('requests per second and CPU per request of the REST API, on a real database')
      .option('--conversations <number>', 'conversations of the reading user', wholeNumber, 1000)
      .option('--segments <number>', 'segments of each read or created conversation', wholeNumber, 50)
      .option('--connections <list>', 'connections at once', wholeNumbers, [1, 10, 50])
      .option('--seconds <number>', 'length of a measurement', wholeNumber, 3)
      .option('--rounds <number>', 'interleaved rounds', wholeNumber, 3)
      .option('--rate-limit-boost <number>', 'RATE_LIMIT_BOOST of the sidecar', wholeNumber, 1_000_000)
      .option('--no-durable', 'the database does not wait for the disk (results are too good)'),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ npm run bench -- requests
  $ npm run bench -- requests --conversations 10000 --connections 10 --rounds 1 --json requests.json

Fails when a request failed or was refused.`,
    )
    .action(async (options: Options) => {
      const { failedRows, runRequests } = await import('../suites/rest/requests.js');
      const { seconds, ...rest } = options;
      const settings = {
        rate_limit_boost: options.rateLimitBoost,
        fsync: options.durable ? 'on' : 'off',
        log_level: 'info',
      };
      const { results } = await interruptible((signal) =>
        reportSuite('requests', options, settings, (tell) =>
          runRequests({ ...rest, milliseconds: seconds * 1000, tell, signal }),
        ),
      );
      if (failedRows(results).length > 0) {
        process.stderr.write('requests: some failed or were refused\n');
        process.exitCode = 1;
      }
    });

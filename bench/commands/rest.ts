import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { checkout } from '../checkout.js';
import { reportSuite, withReportOptions } from '../command-line/report-suite.js';
import { wholeNumber } from '../command-line/whole-number.js';
import { interruptible } from '../fleet/interruption.js';
import type { ReportFiles } from '../report/write.js';

interface Options extends ReportFiles {
  readonly users: number;
  readonly conversations: number;
  readonly largest: number;
  readonly folder: string;
  readonly rate: number;
  readonly seconds: number;
  readonly busy: number;
  readonly rounds: number;
  readonly warmUp: number;
  readonly pages: number;
  readonly rateLimitBoost: number;
  readonly peer: boolean;
  readonly floor: boolean;
}

const usualFolder = fileURLToPath(new URL('build/bench/rest-database', checkout));

export const restCommand = (): Command =>
  withReportOptions(
    new Command('rest')
      .description(
        'the REST API on a large database, always busy and at a constant rate, compared with FastAPI and asyncpg',
      )
      .option('--users <number>', 'users', wholeNumber, 10_000)
      .option('--conversations <number>', 'conversations of all users', wholeNumber, 1_000_000)
      .option('--largest <number>', 'conversations of the largest user', wholeNumber, 100_000)
      .option('--folder <folder>', 'folder that stores the filled database for later runs', usualFolder)
      .option('--rate <number>', 'requests a second', wholeNumber, 200)
      .option('--seconds <number>', 'length of a measurement at that rate', wholeNumber, 6)
      .option('--busy <requests>', 'requests of a measurement with an always busy server', wholeNumber, 3000)
      .option('--rounds <number>', 'interleaved rounds', wholeNumber, 3)
      .option(
        '--warm-up <requests>',
        'requests of each route to each server before the measurement',
        wholeNumber,
        8000,
      )
      .option('--pages <number>', 'pages timed in each tenth of the largest account', wholeNumber, 100)
      .option('--rate-limit-boost <number>', 'RATE_LIMIT_BOOST of both servers', wholeNumber, 1_000_000)
      .option('--no-peer', 'measure only the sidecar')
      .option('--floor', 'also measure a new memory with only Fastify and postgres.js', false),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ npm run bench -- rest
  $ npm run bench -- rest --rounds 5 --seconds 10 --json rest.json
  $ npm run bench -- rest --conversations 10000 --largest 1000 --users 100 --folder /tmp/small --no-peer

The first run fills the database, which takes minutes and a few GB. Fails when a request failed or was refused, when the two
servers answer differently, or when a bound is missed.`,
    )
    .action(async (options: Options) => {
      const [{ runRest }, { isKept, shownBounds }, { failedRows }] = await Promise.all([
        import('../suites/rest/rest.js'),
        import('../rest/bounds.js'),
        import('../suites/rest/requests.js'),
      ]);
      const { users, conversations, largest, seconds, rateLimitBoost, rate } = options;
      const settings = {
        rate_limit_boost: rateLimitBoost,
        rate,
        users,
        conversations,
        largest,
        log_level: 'info',
      };
      const { results, bounds } = await interruptible((signal) =>
        reportSuite('rest', options, settings, (tell) =>
          runRest({
            ...options,
            filling: { users, conversations, largest },
            milliseconds: seconds * 1000,
            tell,
            signal,
          }),
        ),
      );
      for (const line of shownBounds(bounds)) process.stdout.write(`${line}\n`);
      const failed = failedRows(results).length > 0;
      if (failed) process.stderr.write('rest: requests failed or were refused\n');
      if (failed || !bounds.every(isKept)) process.exitCode = 1;
    });

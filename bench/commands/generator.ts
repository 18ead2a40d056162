import { Command } from 'commander';
import { reportSuite, withReportOptions } from '../command-line/report-suite.js';
import { wholeNumber } from '../command-line/whole-number.js';
import { interruptible } from '../fleet/interruption.js';
import type { ReportFiles } from '../report/index.js';
import type { GeneratorProof } from '../suites/generator.js';

interface Options extends ReportFiles {
  readonly streams: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly cpu?: number;
}

export const generatorCommand = (): Command =>
  withReportOptions(
    new Command('generator')
      .description('test the load generator itself, against a server that never answers')
      .option('--streams <number>', 'paced streams of one packet every 20 ms', wholeNumber, 2000)
      .option('--seconds <number>', 'length of the steady load', wholeNumber, 20)
      .option('--rounds <number>', 'interleaved rounds of the generator against itself', wholeNumber, 5)
      .option('--cpu <number>', 'CPU core of the generator, from 0', Number),
  )
    .addHelpText(
      'after',
      `
The exit code is 1 when more than one frame in 100 is over 5 ms late, when the generator uses more than one core,
when a frame does not arrive, or when two runs of the generator differ.

Examples:
  $ npm run bench -- generator
  $ npm run bench -- generator --streams 500 --seconds 5 --rounds 3`,
    )
    .action(async ({ streams, seconds, rounds, cpu, ...files }: Options) => {
      const { runGenerator } = await import('../suites/generator.js');
      let proof: GeneratorProof | undefined;
      await interruptible((signal) =>
        reportSuite('generator', files, {}, async (tell) => {
          proof = await runGenerator({ streams, seconds, rounds, sliceSeconds: 2, cpu, tell, signal });
          return proof;
        }),
      );
      const broken = proof?.broken ?? [];
      const kept =
        'The generator keeps its pace: p99 within 5 ms on at most one core, and it does not differ from itself.';
      process.stdout.write(`\n${broken.length === 0 ? kept : broken.join('\n')}\n`);
      if (broken.length > 0) process.exitCode = 1;
    });

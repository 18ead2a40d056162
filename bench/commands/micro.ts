import { Command } from 'commander';
import { wholeNumber } from './whole-number.js';

export const microCommand = (): Command =>
  new Command('micro')
    .description('what a frame, a window, a call costs, part by part, against other ways to do it')
    .option(
      '--only <suite...>',
      'suites to run: codec, resample, vad, ring, cosine, encoder, turn, front',
      [],
    )
    .option('--json <file>', 'write the report there too')
    .option('--rounds <number>', 'interleaved rounds that count', wholeNumber, 15)
    .addHelpText(
      'after',
      `
Examples:
  $ npm run bench -- micro
  $ npm run bench -- micro --only vad turn --json report.json`,
    )
    .action(async (options: { only: string[]; json?: string; rounds: number }) => {
      const { chosenSuites, runMicro } = await import('../micro/index.js');
      chosenSuites(options.only);
      await runMicro({ ...options, warmUp: 2, print: (line) => process.stdout.write(`${line}\n`) });
    });

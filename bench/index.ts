import { Command, InvalidArgumentError } from 'commander';
import { reasonOf } from '../src/errors/index.js';

const wholeNumber = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('a whole number above 0');
  return value;
};

const program = new Command('bench')
  .description('measure this machine')
  .showHelpAfterError()
  .configureHelp({ showGlobalOptions: true });

program
  .command('micro')
  .description('what a frame, a window, a call costs, part by part, against other ways to do it')
  .option('--only <suite...>', 'suites to run: codec, resample, vad, ring, cosine, encoder, turn, front', [])
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
    const { chosenSuites, runMicro } = await import('./micro/index.js');
    chosenSuites(options.only);
    await runMicro({ ...options, warmUp: 2, print: (line) => process.stdout.write(`${line}\n`) });
  });

program
  .command('packets')
  .description('code the packets of the suites again and compare them with their pins')
  .option('--pin', 'pin what comes out')
  .action(async ({ pin }: { pin?: boolean }) => {
    const { checkPackets } = await import('./micro/pins.js');
    if (!(await checkPackets(pin === true))) process.exitCode = 1;
  });

try {
  await program.parseAsync(process.argv[2] === '--' ? process.argv.slice(3) : process.argv.slice(2), {
    from: 'user',
  });
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exitCode = 1;
}

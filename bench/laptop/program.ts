/** The command line of the laptop fleet: `npm run fleet -- VERB`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Command, InvalidArgumentError } from 'commander';
import { forbidTelemetry } from '../../src/app/telemetry.js';
import { reasonOf } from '../../src/errors/cochlea-error.js';
import { wholeNumber } from '../command-line/whole-number.js';
import { attachLaptopFleet, type LaptopFleet, openLaptopFleet } from './fleet.js';
import { statusTable } from './status-table.js';

forbidTelemetry();

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const tell = (text: string): void => void process.stderr.write(`${text}\n`);

const countFromNone = (text: string): number => (text.trim() === '0' ? 0 : wholeNumber(text));

const settingArgument = (
  text: string,
  earlier: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => {
  const [, name, value] = /^([A-Z][A-Z0-9_]*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError('write NAME=VALUE.');
  return { ...earlier, [name]: value! };
};

const program = new Command('fleet')
  .description('run a whole fleet on this machine, and break parts of it')
  .option('--folder <path>', 'folder of the fleet (default: build/fleet of the checkout)')
  .showHelpAfterError()
  .configureHelp({ showGlobalOptions: true })
  .addHelpText(
    'after',
    `
Examples:
  $ npm run fleet -- up
  $ npm run fleet -- status
  $ npm run fleet -- kill engine-1 --disk
  $ npm run fleet -- partition engine-2 --from postgres-1 postgres-2 --seconds 30
  $ npm run fleet -- promote --standby
  $ npm run fleet -- down`,
  );

const fleetOf = (): LaptopFleet => attachLaptopFleet(program.opts<{ folder?: string }>().folder);

/** Adds a verb that takes the name of a part. @param act does the work and returns the text to print, if any. */
const verb = <Options>(
  name: string,
  description: string,
  act: (fleet: LaptopFleet, part: string, options: Options) => Promise<string | undefined>,
): Command =>
  program
    .command(name)
    .description(description)
    .argument('<part>', 'name of a part, as status shows it')
    .action(async (part: string, options: Options) => {
      const said = await act(fleetOf(), part, options);
      if (said !== undefined) print(said);
    });

interface UpOptions {
  readonly engines: number;
  readonly sidecars: number;
  readonly transcribers: number;
  readonly netns?: boolean;
  readonly env: Readonly<Record<string, string>>;
}

program
  .command('up')
  .description(
    'start a fleet: a PostgreSQL pair, three NATS servers, HAProxy, engines, sidecars, transcribers',
  )
  .option('--engines <number>', 'engines', wholeNumber, 3)
  .option('--sidecars <number>', 'sidecars', wholeNumber, 2)
  .option(
    '--transcribers <number>',
    'transcribers; engine I uses number I modulo this number',
    countFromNone,
    2,
  )
  .option('--netns', 'give each part a network namespace; needs root')
  .option(
    '--env <NAME=VALUE>',
    'setting of engines, sidecars and transcribers; may be repeated',
    settingArgument,
    {},
  )
  .action(async ({ env, ...size }: UpOptions) => {
    const { folder } = program.opts<{ folder?: string }>();
    const fleet = await openLaptopFleet({ ...size, settings: env, tell, ...(folder ? { folder } : {}) });
    print(`Ready: ${fleet.url}`);
  });

program
  .command('status')
  .description('show what each part does')
  .option('--json', 'print JSON')
  .action(async ({ json }: { json?: boolean }) => {
    const status = await fleetOf().status();
    print(json ? JSON.stringify(status, null, 2) : statusTable(status));
  });

program
  .command('env')
  .description("print the settings of operators' commands for a shell; they include passwords")
  .action(() => {
    for (const [name, value] of Object.entries(fleetOf().settings)) print(`export ${name}='${value}'`);
  });

verb<{ disk?: boolean }>('kill', 'kill a part at once (SIGKILL)', async (fleet, part, options) => {
  await fleet.kill(part, options);
  return `${part} is killed${options.disk ? ', and its folder is deleted' : ''}`;
}).option('--disk', 'delete its folder, too');

verb('restart', 'start a part that has ended', async (fleet, part) => {
  await fleet.restart(part);
  return `${part} is ready`;
});

verb('pause', 'stop a part without closing its connections (SIGSTOP)', async (fleet, part) => {
  await fleet.pause(part);
  return `${part} is paused`;
});

verb('resume', 'let a paused part continue (SIGCONT)', async (fleet, part) => {
  await fleet.resume(part);
  return `${part} continues`;
});

verb<{ from?: string[]; seconds?: number }>(
  'partition',
  'cut a part off from the others: bytes stop, and nothing is closed',
  async (fleet, part, { from, seconds }) => {
    await fleet.partition(part, from);
    const cut = `${part} is cut off from ${from?.join(', ') ?? 'all parts'}`;
    if (seconds === undefined) return cut;
    tell(`${cut} for ${seconds} s`);
    await sleep(seconds * 1000);
    await fleet.heal(part);
    return `${part} is connected again`;
  },
)
  .option('--from <parts...>', 'only these parts')
  .option('--seconds <number>', 'wait so long, then heal it', wholeNumber);

program
  .command('heal')
  .description('end partitions')
  .argument('[part]', 'only those of this part')
  .action(async (part?: string) => {
    await fleetOf().heal(part);
    print(`${part ?? 'The network'} is connected again`);
  });

verb('drain', 'end an engine, a sidecar or a transcriber in order (SIGTERM)', async (fleet, part) => {
  await fleet.drain(part);
  return `${part} has ended`;
});

program
  .command('reload')
  .description('let the balancer read its configuration again')
  .action(async () => {
    await fleetOf().reload();
    print('The balancer is reloading');
  });

program
  .command('promote')
  .description('kill the PostgreSQL primary for certain, and let the standby take writes')
  .option('--standby', 'then make the former primary a standby, with a new copy')
  .option('--force', 'also if the standby may lack commits')
  .action(async (options: { standby?: boolean; force?: boolean }) => {
    print(`${await fleetOf().promote(options)} takes the writes`);
  });

program
  .command('down')
  .description('end all processes and remove the folder')
  .option('--keep', 'keep the folder, with logs')
  .option('--quick', 'kill all processes at once, without a drain')
  .action(async (options: { keep?: boolean; quick?: boolean }) => {
    const killed = await fleetOf().down(options);
    print(killed === 0 ? 'The fleet has ended' : `The fleet has ended; ${killed} parts were killed`);
  });

try {
  await program.parseAsync(process.argv.slice(process.argv[2] === '--' ? 3 : 2), { from: 'user' });
} catch (error) {
  tell(reasonOf(error));
  process.exitCode ||= 1;
}

import { Command } from 'commander';
import { reasonOf } from '../src/errors/index.js';
import { compareCommand } from './commands/compare.js';
import { costCommand } from './commands/cost.js';
import { fleetCommand } from './commands/fleet.js';
import { journalCommand } from './commands/journal.js';
import { microCommand } from './commands/micro.js';
import { packetsCommand } from './commands/packets.js';
import { restCommand } from './commands/rest.js';
import { soakCommand } from './commands/soak.js';
import { startCommand } from './commands/start.js';

const program = new Command('bench')
  .description('measure this machine')
  .showHelpAfterError()
  .configureHelp({ showGlobalOptions: true })
  .addCommand(microCommand())
  .addCommand(fleetCommand())
  .addCommand(costCommand())
  .addCommand(soakCommand())
  .addCommand(journalCommand())
  .addCommand(restCommand())
  .addCommand(startCommand())
  .addCommand(compareCommand())
  .addCommand(packetsCommand());

try {
  await program.parseAsync(process.argv[2] === '--' ? process.argv.slice(3) : process.argv.slice(2), {
    from: 'user',
  });
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exitCode ||= 1;
}

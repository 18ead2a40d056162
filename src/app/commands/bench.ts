import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command } from 'commander';
import { packageDirectory } from '../../config/data-dir.js';
import { action } from '../action.js';

/** Becomes the benches' own program, in this very process: signals and the exit code need no forwarding. */
const run = async (_options: unknown, command: Command): Promise<void> => {
  const entry = join(packageDirectory(), 'dist', 'bench', 'index.js');
  process.argv = [process.execPath, entry, ...command.args];
  await import(pathToFileURL(entry).href);
};

export const benchCommand = (): Command =>
  new Command('bench')
    .description('measure this machine, or load a server: "cochlea bench --help" lists the suites')
    // Every word is the benches' to read, `--help` too.
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(action(run));

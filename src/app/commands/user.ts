import { Command } from 'commander';
import { runHere } from '../../cli/index.js';

/** The client for users, also available as `cochlea-user`. It has its own parser, output and exit codes. */
export const userCommand = (): Command =>
  new Command('user')
    .description('the REST API client for users; "cochlea user --help" lists its commands')
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(() => runHere(process.argv.slice(3), 'cochlea user'));

import { Command } from 'commander';
import { runHere } from '../../cli/index.js';

/**
 * Returns the command that runs the client for users, also available as `cochlea-user`. The client has its own parser,
 * output and exit codes.
 */
export const userCommand = (): Command =>
  new Command('user')
    .description('the REST API client for users; "cochlea user --help" lists its commands')
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(() => runHere(process.argv.slice(3), 'cochlea user'));

import { Command } from 'commander';
import { runHere } from '../../cli/index.js';

/** The client for users, which `cochlea-user` is as well. It has a parser, an output and exit codes of its own. */
export const userCommand = (): Command =>
  new Command('user')
    .description('the client of the REST API for users; "cochlea user --help" has its commands')
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(() => runHere(process.argv.slice(3), 'cochlea user'));

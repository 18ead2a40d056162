import { Command } from 'commander';
import { type Acting, withYes } from '../arguments/index.js';
import { commandGroup } from './command-group.js';

const actions = () => import('./config-actions.js');

/** Creates the commands for the configuration file and its profiles. */
export const configCommand = (act: Acting): Command =>
  commandGroup('config', 'the configuration file', [
    new Command('show')
      .description('show the file, with credentials masked')
      .action(act(actions, 'showConfig')),
    new Command('path').description('where the file is').action(act(actions, 'showPath')),
    new Command('set')
      .description('set a value of the profile')
      .argument('<key>', 'api_base')
      .argument('<value>', 'its value')
      .action(act(actions, 'setValue')),
    commandGroup('profile', 'services and accounts, each with its credential', [
      new Command('list').description('all profiles').action(act(actions, 'listProfiles')),
      new Command('use')
        .description('use a profile from now on; creates a new profile')
        .argument('<name>', 'name')
        .action(act(actions, 'useProfile')),
      withYes(new Command('delete'))
        .description('delete a profile with its credential')
        .argument('<name>', 'name')
        .action(act(actions, 'deleteProfile')),
    ]),
  ]);

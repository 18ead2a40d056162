import { Command } from 'commander';
import { type Acting, withYes } from '../arguments/index.js';

/** The configuration file and its profiles. */
export const configCommand = (act: Acting): Command => {
  const actions = () => import('./config-actions.js');
  const profile = new Command('profile')
    .description('services and accounts, each with its credential')
    .addCommand(
      new Command('list')
        .description('all profiles')
        .action(act(async (session) => (await actions()).listProfiles(session))),
    )
    .addCommand(
      new Command('use')
        .description('use a profile from now on; it is made when it is new')
        .argument('<name>', 'name')
        .action(act<[string]>(async (...given) => (await actions()).useProfile(...given))),
    )
    .addCommand(
      withYes(new Command('delete'))
        .description('delete a profile with its credential')
        .argument('<name>', 'name')
        .action(
          act<[string, { yes?: boolean }]>(async (...given) => (await actions()).deleteProfile(...given)),
        ),
    );
  return new Command('config')
    .description('the configuration file')
    .addCommand(
      new Command('show')
        .description('what the file holds, with credentials masked')
        .action(act(async (session) => (await actions()).showConfig(session))),
    )
    .addCommand(
      new Command('path')
        .description('where the file is')
        .action(act(async (session) => (await actions()).showPath(session))),
    )
    .addCommand(
      new Command('set')
        .description('set a value of the profile')
        .argument('<key>', 'api_base')
        .argument('<value>', 'its value')
        .action(act<[string, string]>(async (...given) => (await actions()).setValue(...given))),
    )
    .addCommand(profile);
};

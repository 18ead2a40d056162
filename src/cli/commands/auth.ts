import { Command } from 'commander';
import type { Acting } from '../arguments/index.js';
import { commandGroup } from './command-group.js';

const actions = () => import('./auth-actions.js');

/** Creates the commands for signing in and out. */
export const authCommand = (act: Acting): Command => {
  const command = (name: string, description: string): Command => new Command(name).description(description);
  return commandGroup('auth', 'signing in and out', [
    command('login', 'store a credential in the profile; on a terminal asks for its kind, else reads a key')
      .option('--browser', 'sign in with a browser')
      .option(
        '--provider <name>',
        "service to sign in with, by the operator's name for it; default: a password",
      )
      .option('--no-open', 'print the sign-in address instead of opening it')
      .option(
        '--api-key <key>',
        'developer key; "-" reads it from standard input, where other users do not see it',
      )
      .action(act(actions, 'login')),
    command('logout', 'remove the credential; after a sign-in, end it and revoke its key').action(
      act(actions, 'logout'),
    ),
    command('status', 'show the stored credential, masked; sends no request').action(act(actions, 'status')),
    command('whoami', 'ask the service for the user of the credential').action(act(actions, 'whoami')),
    command('refresh', 'renew the tokens of a sign-in; does nothing for a developer key').action(
      act(actions, 'refresh'),
    ),
  ]);
};

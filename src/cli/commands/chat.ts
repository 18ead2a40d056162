import { Command } from 'commander';
import type { Acting } from '../arguments/index.js';

/** Creates the command for a chat about recorded speech. */
export const chatCommand = (act: Acting): Command =>
  new Command('chat')
    .description(
      'chat about your recorded speech: one message, or a dialogue in a terminal; needs a sign-in in a browser',
    )
    .argument(
      '[message]',
      'the message; "-" reads standard input; without a message the terminal asks for messages',
    )
    .option('--timezone <name>', 'time zone of days, such as Europe/Berlin; the default is in your settings')
    .option('--history', 'print the last messages instead')
    .action(act(() => import('./chat-actions.js'), 'chat'));

import { Command } from 'commander';
import type { Acting } from '../arguments/index.js';

/** A chat about what was said. */
export const chatCommand = (act: Acting): Command =>
  new Command('chat')
    .description(
      'talk about what was said: one message, or one after the other in a terminal; needs a sign-in in a browser',
    )
    .argument(
      '[message]',
      'the message; "-" reads standard input; without one a terminal is asked for messages',
    )
    .option(
      '--timezone <name>',
      'in which days are counted, such as Europe/Berlin; that of your settings when absent',
    )
    .option('--history', 'print the last messages instead')
    .action(act(() => import('./chat-actions.js'), 'chat'));

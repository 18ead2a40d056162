import { Command } from 'commander';
import { type Acting, wholeNumber } from '../arguments/index.js';

/** Creates the command that asks questions about recorded speech. */
export const askCommand = (act: Acting): Command =>
  new Command('ask')
    .description('answer a question from your conversations, with its sources')
    .argument('<question>', 'the question; "-" reads standard input')
    .option('--limit <n>', 'maximum conversations to answer from', wholeNumber(1, 1_000_000), 5)
    .option('--timezone <name>', 'time zone of days, such as Europe/Berlin; the default is in your settings')
    .action(act(() => import('./ask-actions.js'), 'ask'));

import { Command } from 'commander';
import { type Acting, wholeNumber } from '../arguments/index.js';

/** Questions about what was said. */
export const askCommand = (act: Acting): Command =>
  new Command('ask')
    .description('answer a question from your conversations, with its sources')
    .argument('<question>', 'the question; "-" reads standard input')
    .option('--limit <n>', 'conversations to answer from, at most', wholeNumber(1, 1_000_000), 5)
    .option(
      '--timezone <name>',
      'in which days are counted, such as Europe/Berlin; that of your settings when absent',
    )
    .action(act(() => import('./ask-actions.js'), 'ask'));

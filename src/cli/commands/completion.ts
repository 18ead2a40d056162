import { Argument, Command } from 'commander';
import type { Acting } from '../arguments/index.js';

const actions = () => import('./completion-actions.js');

/**
 * Creates the commands that print shell completion scripts and the manual page.
 * @param program returns the whole program; called when a command runs
 */
export const completionCommand = (act: Acting, program: () => Command): Command =>
  new Command('completion')
    .description('print a script that completes commands and flags in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .action(act(actions, 'printCompletion', program));

export const manCommand = (act: Acting, program: () => Command): Command =>
  new Command('man')
    .description('print the manual page, for "man -l"')
    .action(act(actions, 'printManPage', program));

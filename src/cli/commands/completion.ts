import { Argument, Command } from 'commander';
import type { Acting } from '../arguments/index.js';

/** Prints what shells and manuals are told of the commands. @param program is asked for when a command runs. */
export const completionCommand = (act: Acting, program: () => Command): Command =>
  new Command('completion')
    .description('print a script that completes commands and flags in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .action(
      act<[string]>(async ({ print }, shell) => {
        const { completions } = await import('../completion/scripts.js');
        const script = completions[shell]!(program());
        await print.text(script.trimEnd(), { shell, script });
      }),
    );

export const manCommand = (act: Acting, program: () => Command): Command =>
  new Command('man').description('print the manual page, for "man -l"').action(
    act(async ({ print }) => {
      const { manPage } = await import('../completion/man-page.js');
      const page = manPage(program());
      await print.text(page.trimEnd(), { page });
    }),
  );

import { Command } from 'commander';
import { release } from '../config/process/index.js';
import type { Acting } from './arguments/index.js';
import {
  actionItemCommand,
  askCommand,
  authCommand,
  chatCommand,
  completionCommand,
  configCommand,
  conversationCommand,
  dailySummaryCommand,
  folderCommand,
  goalCommand,
  manCommand,
  memoryCommand,
  settingsCommand,
} from './commands/index.js';

/**
 * Creates the command with all subcommands. Only the descriptions of the subcommands are loaded. The code of a
 * subcommand is imported when it runs.
 * @param name name of the program: `cochlea-user`, or `cochlea user`.
 */
export const userProgram = (name: string, act: Acting): Command => {
  const program: Command = new Command(name)
    .description(
      "What was recorded, remembered and planned, from the command line: a client of the service's REST API.",
    )
    .version(release, '--version', 'print the version')
    .option('--json', 'print the answer of the service as JSON, and errors as one line of JSON')
    .option('-p, --profile <name>', 'profile of the configuration file (COCHLEA_PROFILE)')
    .option('--api-base <url>', 'base address of the service (COCHLEA_API_BASE)')
    .option('-v, --verbose', 'print every request on standard error')
    .option('--no-color', 'print no colours (NO_COLOR)')
    .addCommand(authCommand(act))
    .addCommand(configCommand(act))
    .addCommand(memoryCommand(act))
    .addCommand(conversationCommand(act))
    .addCommand(actionItemCommand(act))
    .addCommand(goalCommand(act))
    .addCommand(folderCommand(act))
    .addCommand(dailySummaryCommand(act))
    .addCommand(settingsCommand(act))
    .addCommand(askCommand(act))
    .addCommand(chatCommand(act))
    .addCommand(completionCommand(act, () => program))
    .addCommand(manCommand(act, () => program))
    .addHelpText(
      'after',
      `
Examples:
  $ ${name} auth login
  $ ${name} memory list --since 7d
  $ ${name} --json memory create "Prefers the early train" --tag travel`,
    );
  return program;
};

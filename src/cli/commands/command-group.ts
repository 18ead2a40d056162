import { Command } from 'commander';

/** Creates a command that contains a group of subcommands. */
export const commandGroup = (name: string, help: string, commands: readonly Command[]): Command => {
  const group = new Command(name).description(help);
  for (const command of commands) group.addCommand(command);
  return group;
};

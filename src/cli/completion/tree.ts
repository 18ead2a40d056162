import type { Command, Option } from 'commander';

/** A command with the data that completion scripts and the manual page need. */
export interface Node {
  /** The words after the program's name that call this command: the names of its groups, and its own name. */
  readonly path: readonly string[];
  readonly command: Command;
  readonly options: readonly Option[];
}

/** Returns the options of a command, including the options that every command has. */
const optionsOf = (command: Command): readonly Option[] => command.createHelp().visibleOptions(command);

/** Returns the program, its groups and their commands. Parents precede children. */
export const nodesOf = (command: Command, path: readonly string[] = []): Node[] => [
  { path, command, options: optionsOf(command) },
  ...command.commands.flatMap((sub) => nodesOf(sub, [...path, sub.name()])),
];

/** Returns the spellings of an option, such as `-y` and `--yes`. */
export const spellings = ({ short, long }: Option): string[] =>
  [short, long].filter((spelling): spelling is string => spelling !== undefined && spelling !== null);

/** Checks whether the option takes a value, which is the word after it. */
export const takesValue = ({ required, optional }: Option): boolean => required || optional;

/** Returns the spellings of the options that take a value, for all commands together. */
export const valueOptions = (nodes: readonly Node[]): string[] => [
  ...new Set(nodes.flatMap(({ options }) => options.filter(takesValue).flatMap(spellings))),
];

/** Returns the words that can follow a command: its subcommands and options, with descriptions. */
export const wordsAt = (
  { command, options }: Node,
  globals: readonly Option[],
): (readonly [string, string])[] => [
  ...command.commands.map((sub) => [sub.name(), sub.description()] as const),
  ...new Map(
    [...options, ...globals].flatMap((option) => spellings(option).map((word) => [word, option.description])),
  ),
];

/** Returns the choices of a command's options. */
export const choicesAt = ({ options }: Node): (readonly [string[], readonly string[]])[] =>
  options.flatMap((option) =>
    option.argChoices ? [[spellings(option), option.argChoices] as const] : [],
  ) as never;

/** Returns a description without the characters that need quotes in a shell. */
export const plainDescription = (text: string): string => text.replace(/["'`$\\:;[\]{}]/g, '');

import type { Command, Option } from 'commander';

/** A command as completion scripts and manual describe it. */
export interface Node {
  /** Names from the program's first subcommand to this one. */
  readonly path: readonly string[];
  readonly command: Command;
  readonly options: readonly Option[];
}

/** Options of a command, including those of every command. */
const optionsOf = (command: Command): readonly Option[] => command.createHelp().visibleOptions(command);

/** The program, its groups and their commands. Parents precede children. */
export const nodesOf = (command: Command, path: readonly string[] = []): Node[] => [
  { path, command, options: optionsOf(command) },
  ...command.commands.flatMap((sub) => nodesOf(sub, [...path, sub.name()])),
];

/** Spellings of an option. */
export const spellings = ({ short, long }: Option): string[] =>
  [short, long].filter((spelling): spelling is string => spelling !== undefined && spelling !== null);

/** Returns whether the word after an option is its value. */
export const takesValue = ({ required, optional }: Option): boolean => required || optional;

/** All options with a value, of any command. */
export const valueOptions = (nodes: readonly Node[]): string[] => [
  ...new Set(nodes.flatMap(({ options }) => options.filter(takesValue).flatMap(spellings))),
];

/** Completions at a place: subcommands and options with their descriptions. */
export const wordsAt = (
  { command, options }: Node,
  globals: readonly Option[],
): (readonly [string, string])[] => [
  ...command.commands.map((sub) => [sub.name(), sub.description()] as const),
  ...new Map(
    [...options, ...globals].flatMap((option) => spellings(option).map((word) => [word, option.description])),
  ),
];

/** Choices of the options at a place. */
export const choicesAt = ({ options }: Node): (readonly [string[], readonly string[]])[] =>
  options.flatMap((option) =>
    option.argChoices ? [[spellings(option), option.argChoices] as const] : [],
  ) as never;

/** The first sentence of a description, without characters that a shell would require to quote. */
export const plainDescription = (text: string): string => text.replace(/["'`$\\:;[\]{}]/g, '');

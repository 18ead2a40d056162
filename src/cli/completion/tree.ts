import type { Command, Option } from 'commander';

/** A command as completion and the manual describe it. */
export interface Node {
  /** The names from the program's first sub-command to this one. */
  readonly path: readonly string[];
  readonly command: Command;
  readonly options: readonly Option[];
}

/** Options of a command with those that every one has. */
const optionsOf = (command: Command): readonly Option[] => command.createHelp().visibleOptions(command);

/** The program, its groups and their commands, each before what it contains. */
export const nodesOf = (command: Command, path: readonly string[] = []): Node[] => [
  { path, command, options: optionsOf(command) },
  ...command.commands.flatMap((sub) => nodesOf(sub, [...path, sub.name()])),
];

/** Spellings of an option. */
export const spellings = ({ short, long }: Option): string[] =>
  [short, long].filter((spelling): spelling is string => spelling !== undefined && spelling !== null);

/** Whether the word behind an option is its value. */
export const takesValue = ({ required, optional }: Option): boolean => required || optional;

/** Every option that takes a value, wherever it belongs. */
export const valueOptions = (nodes: readonly Node[]): string[] => [
  ...new Set(nodes.flatMap(({ options }) => options.filter(takesValue).flatMap(spellings))),
];

/** What may stand at a place: sub-commands and options, with what they do. */
export const wordsAt = (
  { command, options }: Node,
  globals: readonly Option[],
): (readonly [string, string])[] => [
  ...command.commands.map((sub) => [sub.name(), sub.description()] as const),
  ...new Map(
    [...options, ...globals].flatMap((option) => spellings(option).map((word) => [word, option.description])),
  ),
];

/** Values from which an option at a place is chosen. */
export const choicesAt = ({ options }: Node): (readonly [string[], readonly string[]])[] =>
  options.flatMap((option) =>
    option.argChoices ? [[spellings(option), option.argChoices] as const] : [],
  ) as never;

/** The first sentence of a description, without what would have to be quoted in a shell. */
export const plainDescription = (text: string): string => text.replace(/["'`$\\:;[\]{}]/g, '');

import { type Command, Option } from 'commander';
import { dateArgument, sinceArgument } from './arguments.js';

/** Options given to a command, as commander returns them. */
export type GivenOptions = Readonly<Record<string, unknown>>;

/** Fields of a request's body or query. */
export type Fields = Readonly<Record<string, unknown>>;

/** An option of a command, and the request field that it sets. */
export interface Setting {
  readonly option: Option;
  readonly field: string;
  /** Value of the field if the option is a flag without a value. */
  readonly value?: unknown;
  /** Value that is sent if the option is absent. */
  readonly usual?: unknown;
  /** Whether the value `-` means standard input. If so, an empty text is refused. */
  readonly stdin?: boolean;
}

export interface SettingDetails extends Omit<Setting, 'option' | 'field'> {
  readonly parse?: (given: string, before: never) => unknown;
  readonly choices?: readonly string[];
  /**
   * Name of another option that cannot be used together with this one. The name is given in the form that commander
   * uses for attributes.
   */
  readonly conflicts?: string;
}

/** Creates a setting. @param flags flags of the option in commander's syntax */
export const setting = (
  field: string,
  flags: string,
  text: string,
  { parse, choices, conflicts, ...rest }: SettingDetails = {},
): Setting => {
  const option = new Option(flags, text);
  if (parse) option.argParser(parse as (given: string, before: unknown) => unknown);
  if (choices) option.choices(choices);
  if (conflicts !== undefined) option.conflicts(conflicts);
  if (typeof rest.usual === 'string') option.default(rest.usual);
  return { option, field, ...rest };
};

/** Returns the options for a period of time. @param verb verb of the help text, such as `begun`. */
export const periodSettings = (verb: string): readonly Setting[] => [
  setting('start_date', '--since <when>', `${verb} since a date, or 30m, 12h, 7d, 2w ago`, {
    parse: sinceArgument,
  }),
  setting('start_date', '--start-date <date>', `${verb} on this date or later`, {
    parse: dateArgument,
    conflicts: 'since',
  }),
  setting('end_date', '--end-date <date>', `${verb} before, or on this day`, { parse: dateArgument }),
];

/**
 * Returns the option for categories. An empty text counts as an absent option. The parser then returns false, because
 * commander ignores undefined.
 */
export const categoriesSetting = (): Setting =>
  setting('categories', '--categories <names>', 'only these categories, separated by commas', {
    parse: (given) => given !== '' && given,
  });

export const withSettings = (command: Command, settings: readonly Setting[]): Command => {
  for (const { option } of settings) command.addOption(option);
  return command;
};

/** Returns the request fields that the options of a command set. */
export const fieldsSet = (settings: readonly Setting[], options: GivenOptions): Record<string, unknown> => {
  const fields: Record<string, unknown> = {};
  for (const { option, field, value, usual } of settings) {
    const given = options[option.attributeName()];
    if (option.negate ? given === false : given !== undefined && given !== false)
      fields[field] = value === undefined ? given : value;
    else if (usual !== undefined) fields[field] = usual;
  }
  return fields;
};

import {
  type CommandLine,
  type Field,
  fieldsOf,
  type RecordDeclaration,
} from '../../client/records/index.js';
import { anyNumber, collected, dateArgument, recordId } from './arguments.js';
import { type Setting, type SettingDetails, setting } from './settings.js';

/** The request that an option belongs to: the creation of a record, or a change of the record. */
export type Occasion = 'create' | 'change';

type Help = NonNullable<CommandLine['help']>;
const helpOf = (help: Help, occasion: Occasion): string => (typeof help === 'object' ? help[occasion] : help);

const isArgument = (cli: Field['cli']): boolean => cli !== false && cli?.argument === true;

/** Types of values that a command line can contain. */
type OptionType = Exclude<Field['type'], 'jsonb'>;

/** For each type of value, its name in the help and its parser. */
const values: Readonly<Record<OptionType, readonly [name: string, parse?: SettingDetails['parse']]>> = {
  boolean: [''],
  'double precision': ['n', anyNumber],
  integer: ['n', anyNumber],
  text: ['text'],
  'text[]': ['text', collected],
  timestamptz: ['date', dateArgument],
  uuid: ['id', recordId],
};

/**
 * Declares that an option cannot be used together with another option, unless one of the two is the negation of the
 * other.
 */
const excluding = (made: Setting, { option: other }: Setting): Setting => {
  if (!made.option.negate) made.option.conflicts(other.attributeName());
  return made;
};

/** Returns the options of a field: options that set its value, and options that clear it. */
const settingsOf = (name: string, field: Field, occasion: Occasion) => {
  const { type, usual, change } = field;
  const [placeholder, parse] = values[type as OptionType];
  const words = name.replaceAll('_', ' ');
  const cli: CommandLine = field.cli || {};
  const { option = name.replaceAll('_', '-'), value = placeholder, help = words, off, stdin } = cli;
  const filled = occasion === 'create' && field.create === 'usual' && type !== 'text[]';
  const on = setting(name, `--${option}${value && ` <${value}>`}`, helpOf(help, occasion), {
    parse,
    choices: cli.choices ?? field.values,
    stdin,
    usual: filled ? usual : undefined,
  });
  const given = off
    ? [on, excluding(setting(name, `--${off.option}`, helpOf(off.help, occasion), { value: false }), on)]
    : [on];
  const clear = cli.clear ?? (change === 'nullable' && { help: `no ${words}` });
  if (occasion === 'create' || !clear) return { given, cleared: [] };
  const flags = `--${clear.option ?? `clear-${option}`}`;
  const empty = type === 'text[]' ? [] : null;
  return { given, cleared: [excluding(setting(name, flags, clear.help, { value: empty }), on)] };
};

/**
 * Returns the options that set the fields of a record. The command `create` takes one field as its argument, so it has
 * no option for that field.
 */
export const fieldSettings = (record: RecordDeclaration, occasion: Occasion): readonly Setting[] => {
  const settings = fieldsOf(record, 'option')
    .filter(([, { cli, [occasion]: isGiven }]) => isGiven !== undefined && cli !== false)
    .filter(([, { type }]) => type in values)
    .filter(([, { cli }]) => occasion === 'change' || !isArgument(cli))
    .map(([name, field]) => settingsOf(name, field, occasion));
  return [...settings.flatMap(({ given }) => given), ...settings.flatMap(({ cleared }) => cleared)];
};

/** Returns the field that the command `create` takes as its argument, and the argument's help. */
export const argumentOf = ({ fields }: RecordDeclaration): { name: string; help: string } => {
  const [name, { cli }] = Object.entries(fields).find(([, { cli }]) => isArgument(cli))!;
  return { name, help: helpOf((cli as CommandLine).help ?? name, 'create') };
};

import {
  type CommandLine,
  type Field,
  fieldsOf,
  type RecordDeclaration,
} from '../../client/records/index.js';
import { anyNumber, collected, dateArgument, recordId } from './arguments.js';
import { type Setting, type SettingDetails, setting } from './settings.js';

/** Whether an option sets a field on creation or on change of the record. */
export type Occasion = 'create' | 'change';

type Help = NonNullable<CommandLine['help']>;
const helpOf = (help: Help, occasion: Occasion): string => (typeof help === 'object' ? help[occasion] : help);

const isArgument = (cli: Field['cli']): boolean => cli !== false && cli?.argument === true;

/** Value types possible on a command line. */
type OptionType = Exclude<Field['type'], 'jsonb'>;

/** Name in the help and parser of each value type. */
const values: Readonly<Record<OptionType, readonly [name: string, parse?: SettingDetails['parse']]>> = {
  boolean: [''],
  'double precision': ['n', anyNumber],
  integer: ['n', anyNumber],
  text: ['text'],
  'text[]': ['text', collected],
  timestamptz: ['date', dateArgument],
  uuid: ['id', recordId],
};

/** Makes an option exclude another, unless the other is its negation. */
const excluding = (made: Setting, { option: other }: Setting): Setting => {
  if (!made.option.negate) made.option.conflicts(other.attributeName());
  return made;
};

/** Options of a field: those that set its value, and those that clear it. */
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

/** Options that set the fields of a record. A field that is an argument of the creation has no option there. */
export const fieldSettings = (record: RecordDeclaration, occasion: Occasion): readonly Setting[] => {
  const settings = fieldsOf(record, 'option')
    .filter(([, { cli, [occasion]: isGiven }]) => isGiven !== undefined && cli !== false)
    .filter(([, { type }]) => type in values)
    .filter(([, { cli }]) => occasion === 'change' || !isArgument(cli))
    .map(([name, field]) => settingsOf(name, field, occasion));
  return [...settings.flatMap(({ given }) => given), ...settings.flatMap(({ cleared }) => cleared)];
};

/** The field that the creation takes as an argument, and its help. */
export const argumentOf = ({ fields }: RecordDeclaration): { name: string; help: string } => {
  const [name, { cli }] = Object.entries(fields).find(([, { cli }]) => isArgument(cli))!;
  return { name, help: helpOf((cli as CommandLine).help ?? name, 'create') };
};

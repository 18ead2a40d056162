import {
  type CommandLine,
  type Field,
  fieldsOf,
  type RecordDeclaration,
} from '../../client/records/index.js';
import { anyNumber, collected, dateArgument, recordId } from './arguments.js';
import { type Setting, type SettingDetails, setting } from './settings.js';

/** When an option sets a field: at creation or at a change of the record. */
export type Occasion = 'create' | 'change';

const helpOf = (help: CommandLine['help'], occasion: Occasion): string =>
  typeof help === 'object' ? help[occasion] : (help ?? '');

const parsers: Readonly<Partial<Record<Field['type'], SettingDetails['parse']>>> = {
  'double precision': anyNumber,
  integer: anyNumber,
  'text[]': collected,
  timestamptz: dateArgument,
  uuid: recordId,
};

/** An option that cannot be used with another, unless it is the negative of it. */
const excluding = (made: Setting, { option: other }: Setting): Setting => {
  if (!made.option.negate) made.option.conflicts(other.attributeName());
  return made;
};

/** The options of a field: what gives it a value, and what clears it. */
const settingsOf = (name: string, field: Field, occasion: Occasion) => {
  const { type, usual, values, change } = field;
  const {
    option = name.replaceAll('_', '-'),
    value,
    help,
    choices = values,
    off,
    stdin,
    ...cli
  } = field.cli!;
  const filled = occasion === 'create' && field.create === 'usual' && type !== 'text[]';
  const on = setting(name, `--${option}${value === undefined ? '' : ` <${value}>`}`, helpOf(help, occasion), {
    parse: parsers[type],
    choices,
    stdin,
    usual: filled ? usual : undefined,
  });
  const given = off
    ? [on, excluding(setting(name, `--${off.option}`, helpOf(off.help, occasion), { value: false }), on)]
    : [on];
  const clear = cli.clear ?? (change === 'nullable' && { help: `no ${name.replaceAll('_', ' ')}` });
  if (occasion === 'create' || !clear) return { given, cleared: [] };
  const flags = `--${clear.option ?? `clear-${option}`}`;
  const empty = type === 'text[]' ? [] : null;
  return { given, cleared: [excluding(setting(name, flags, clear.help, { value: empty }), on)] };
};

/** The options that set the fields of a record. What creation takes as an argument is none of its options. */
export const fieldSettings = (record: RecordDeclaration, occasion: Occasion): readonly Setting[] => {
  const settings = fieldsOf(record, 'option')
    .filter(([, { cli, [occasion]: isGiven }]) => isGiven !== undefined && cli?.help !== undefined)
    .filter(([, { cli }]) => occasion === 'change' || !cli?.argument)
    .map(([name, field]) => settingsOf(name, field, occasion));
  return [...settings.flatMap(({ given }) => given), ...settings.flatMap(({ cleared }) => cleared)];
};

/** The field that creation takes as an argument, and its help. */
export const argumentOf = ({ fields }: RecordDeclaration): { name: string; help: string } => {
  const [name, { cli }] = Object.entries(fields).find(([, { cli }]) => cli?.argument)!;
  return { name, help: helpOf(cli?.help, 'create') };
};

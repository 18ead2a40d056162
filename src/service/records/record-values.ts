import { characterCount, firstCharacters } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';
import { isoUtc } from '../../store/record/index.js';
import {
  type ChangeOf,
  type CreationOf,
  type Field,
  fieldsOf,
  type InitialOf,
  isShown,
  type NewRowOf,
  type RecordDeclaration,
  type RowOf,
  type ShownOf,
  type Surface,
} from '../../wire/records/index.js';
import { invalid, optionalText, requiredText } from '../rules/index.js';

/**
 * Converts a given value to its stored form. `given` is never null.
 * @throws CochleaError `validation_failed`
 */
type Check = (given: never) => unknown;

const asGiven: Check = (given) => given;

const choiceOf = (name: string, values: readonly string[]) => (given: string) => {
  if (values.includes(given)) return given;
  throw invalid(`${name} must be ${values.map((value) => `'${value}'`).join(' or ')}`, `body.${name}`);
};

const listOf =
  (name: string, { item = name, items, most }: Field) =>
  (given: readonly string[]) => {
    if (given.length > items!) throw invalid(`${name} should have at most ${items} items`, `body.${name}`);
    return given.map((text) => requiredText(item, text, most!));
  };

const checkOf = (name: string, field: Field, effect: 'create' | 'change'): Check => {
  const { type, values, most, usual = null } = field;
  if (values !== undefined) return choiceOf(name, values);
  if (type === 'text[]') return listOf(name, field);
  if (type !== 'text' || most === undefined) return asGiven;
  return field[effect] === 'nullable'
    ? (given: string) => optionalText(name, given, most) ?? usual
    : (given: string) => requiredText(name, given, most);
};

type OwnChecks<R extends RecordDeclaration> = { readonly [Name in keyof R['fields']]?: Check };

/**
 * Creates functions that convert the values of requests to their stored form. They check values against the limits of the declaration.
 * @param own checks of fields with special rules.
 */
export const valuesOf = <R extends RecordDeclaration>(record: R, own: OwnChecks<R> = {}) => {
  const fields = fieldsOf(record)
    .filter(([, { from }]) => from === undefined)
    .map(([name, field]) => ({
      ...field,
      name,
      column: field.column ?? name,
    }));
  const checked = (effect: 'create' | 'change') =>
    fields.flatMap((field) => {
      const { name, column, change } = field;
      const check = own[name] ?? checkOf(name, field, effect);
      return field[effect] ? [{ name, column, check, clears: change === 'nullable' }] : [];
    });
  const creations = checked('create');
  const changeable = checked('change');
  // The object has every column from the start. In Node 20, a property that is added later would give each
  // row a separate hidden class.
  const initial: Record<string, unknown> = Object.fromEntries(
    fields.map(({ column, usual = null }) => [column, usual]),
  );
  return {
    /** The values of a new record if the request gives none. */
    initial: initial as InitialOf<R>,

    /**
     * Returns the values of a new record: the given values, and defaults or null for the others. The caller sets the
     * columns whose values come from the service.
     * @throws CochleaError `validation_failed`
     */
    created: (given: CreationOf<R>): InitialOf<R> => {
      const row = { ...initial };
      for (const { name, column, check } of creations) {
        const value = given[name as never];
        if (value !== undefined && value !== null) row[column] = check(value);
      }
      return row as InitialOf<R>;
    },

    /**
     * Returns the columns that a change names. If a value is null, its column gets the default. @throws CochleaError
     * `validation_failed`
     */
    changed: (given: ChangeOf<R>): Partial<NewRowOf<R>> => {
      const changes: Record<string, unknown> = {};
      for (const { name, column, check, clears } of changeable) {
        const value = given[name as never] as never;
        if (value === undefined) continue;
        if (value === null && !clears) throw invalid(`${name} cannot be empty`, `body.${name}`);
        changes[column] = value === null ? initial[column] : check(value);
      }
      return changes as Partial<NewRowOf<R>>;
    },
  };
};

/** Number of code points of a locked record's text that are shown. */
const lockedLength = 70;

const cutOf = (text: string): string =>
  characterCount(text) > lockedLength ? `${firstCharacters(text, lockedLength)}...` : text;

type Row = Readonly<Record<string, unknown>>;
type Made = readonly [name: string, of: (row: Row) => unknown];

/**
 * Creates a function that converts a row to the form that a surface shows. Fields keep the order of the declaration.
 * @param own values that the service computes.
 */
export const shownForm = <R extends RecordDeclaration, S extends Surface>(
  record: R,
  surface: S,
  own: { readonly [Name in keyof ShownOf<R, S>]?: (row: RowOf<R>) => unknown } = {},
): ((row: RowOf<R>) => ShownOf<R, S>) => {
  const shown = fieldsOf(record).filter(([, field]) => isShown(field, surface));
  const empty: Record<string, unknown> = Object.fromEntries(shown.map(([name]) => [name, null]));
  // Fields are in separate lists by kind, because calling a function for each field would double the time. An answer
  // may have a thousand rows.
  const copied: { name: string; column: string; absent: unknown }[] = [];
  const moments: string[] = [];
  const made: Made[] = [];
  for (const [name, { type, cut, absent = null, column = name }] of shown) {
    const of = own[name as keyof typeof own] as Made[1] | undefined;
    if (of) made.push([name, of]);
    else if (type === 'timestamptz') moments.push(name);
    else if (cut) made.push([name, (row) => (row.is_locked ? cutOf(row[name] as string) : row[name])]);
    else copied.push({ name, column, absent });
  }
  return (row) => {
    const values = row as Row;
    const form = { ...empty };
    for (const { name, column, absent } of copied) form[name] = values[column] ?? absent;
    // Most records were never changed, so their times of creation and change are equal. Equal times are formatted once.
    let last = Number.NaN;
    let text = '';
    for (const name of moments) {
      const moment = values[name] as Date | null;
      if (moment === null) continue;
      if (moment.getTime() !== last) text = isoUtc(moment);
      last = moment.getTime();
      form[name] = text;
    }
    for (const [name, of] of made) form[name] = of(values);
    return form as ShownOf<R, S>;
  };
};

/** Creates the checks that refuse missing or locked records. */
export const refusalsOf = ({ one }: RecordDeclaration) => {
  const notFound = () =>
    new CochleaError('record_not_found', { kind: `${one[0]!.toUpperCase()}${one.slice(1)}` });
  const found = <Found>(row: Found | null | undefined): Found => {
    if (!row) throw notFound();
    return row;
  };
  return {
    notFound,

    /** Returns the row. @throws CochleaError `record_not_found` if it is missing */
    found,

    /** Returns the row. @throws CochleaError `record_not_found` if it is missing, `locked` if it is locked */
    unlocked: <Found extends { readonly is_locked: boolean }>(row: Found | null | undefined): Found => {
      const own = found(row);
      if (own.is_locked) throw new CochleaError('locked', { kind: one });
      return own;
    },
  };
};

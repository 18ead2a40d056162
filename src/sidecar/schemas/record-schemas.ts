import { z } from 'zod';
import type { GivenTime } from '../../service/days/index.js';
import {
  changesOf,
  type Field,
  fieldsOf,
  isShown,
  type RecordDeclaration,
  type ShownOf,
  type Surface,
  type ToolFields,
  toolSentence,
  type ValueOf,
} from '../../wire/records/index.js';
import { changeOf } from './common-schemas.js';
import { boolean, dateTime, dayStart, integer, number, trimmed } from './fields.js';

/** Schemas of requests and answers, made from the declaration of a record. */

type Words = [string, ...string[]];

/** Maximum length of an id in a request, in code points. */
const longestId = 200;

/** Returns the schema of a field's value as a client sends it. */
const given = ({ type, values, blank, most, items, localDay }: Field): z.ZodType => {
  switch (type) {
    case 'boolean':
      return boolean;
    case 'integer':
      return integer;
    case 'double precision':
      return number;
    case 'timestamptz':
      return localDay ? dayStart : dateTime;
    case 'text[]':
      return z.array(trimmed(1, most!)).max(items!);
    case 'uuid':
      return trimmed(1, longestId);
    default:
      return values ? z.enum(values as unknown as Words) : trimmed(blank ? 0 : 1, most!);
  }
};

type GivenValue<F extends Field> = F extends { readonly localDay: true } ? GivenTime : ValueOf<F>;
type Presence<F extends Field, E extends Effect> = F extends { readonly [Name in E]: infer How }
  ? How
  : never;
type GivenSchema<F extends Field, How> = z.ZodType<
  | GivenValue<F>
  | (How extends 'nullable' ? null : never)
  | (How extends 'optional' | 'nullable' ? undefined : never)
>;

type Effect = 'create' | 'change';
type GivenNames<R extends RecordDeclaration, E extends Effect> = {
  [Name in keyof R['fields']]: [Presence<R['fields'][Name], E>] extends [never] ? never : Name;
}[keyof R['fields']];

/** Schemas of the fields in a request. */
type GivenShape<R extends RecordDeclaration, E extends Effect, Names extends keyof R['fields']> = {
  -readonly [Name in Names]: GivenSchema<R['fields'][Name], Presence<R['fields'][Name], E>>;
};

/** Custom schemas by field name. They replace the schema of the column's type. */
type OwnSchemas<R extends RecordDeclaration> = { readonly [Name in keyof R['fields']]?: z.ZodType };

const describedAs = (schema: z.ZodType, description: string | undefined): z.ZodType =>
  description === undefined ? schema : schema.meta({ description });

const present = (value: z.ZodType, { usual }: Field, how: NonNullable<Field['create']>): z.ZodType => {
  if (how === 'required') return value;
  if (how === 'usual') return value.default(usual as never);
  return how === 'optional' ? value.optional() : value.nullish();
};

const shapeOf = (
  record: RecordDeclaration,
  effect: Effect,
  own: Readonly<Record<string, z.ZodType | undefined>>,
): z.ZodRawShape =>
  Object.fromEntries(
    fieldsOf(record, 'request').flatMap(([name, field]) => {
      const how = field[effect];
      if (how === undefined) return [];
      return [
        [name, describedAs(present(own[name] ?? given(field), field, how), field.description?.[effect])],
      ];
    }),
  );

/** Returns the fields of a request that creates a record. */
export const creationShape = <R extends RecordDeclaration>(record: R, own: OwnSchemas<R> = {}) =>
  shapeOf(record, 'create', own) as unknown as GivenShape<R, 'create', GivenNames<R, 'create'>>;

/** Returns the body schema of a request that changes a record. At least one field must be present. */
export const changeBody = <R extends RecordDeclaration>(record: R, own: OwnSchemas<R> = {}) =>
  changeOf(
    shapeOf(record, 'change', own) as unknown as GivenShape<R, 'change', GivenNames<R, 'change'>>,
    changesOf(record),
  );

/** Returns the fields of a REST request that corresponds to a tool. A change cannot clear fields. */
export const toolShape = <R extends RecordDeclaration, E extends Effect>(
  record: R,
  effect: E,
  own: OwnSchemas<R> = {},
) =>
  Object.fromEntries(
    fieldsOf(record, 'tool')
      .filter(([, field]) => toolSentence(field, effect) !== undefined)
      .map(([name, field]) => [
        name,
        present(own[name] ?? given(field), field, effect === 'create' ? field.create! : 'optional'),
      ]),
  ) as unknown as GivenShape<R, E, ToolFields<R, E>>;

const shown = ({ type, values, nullable, absent }: Field, surface: Surface): z.ZodType => {
  const schemas = {
    boolean: () => z.boolean(),
    integer: () => z.int(),
    'double precision': () => z.number(),
    timestamptz: () => z.iso.datetime(),
    'text[]': () => z.array(z.string()),
    jsonb: () => z.unknown(),
    uuid: () => z.string(),
    text: () => (values && surface === 'developer' ? z.enum(values as unknown as Words) : z.string()),
  };
  const schema = schemas[type]();
  return nullable && absent === undefined ? schema.nullable() : schema;
};

type ShownShape<R extends RecordDeclaration, S extends Surface> = {
  -readonly [Name in keyof ShownOf<R, S>]: z.ZodType<ShownOf<R, S>[Name], ShownOf<R, S>[Name]>;
};

/**
 * Returns the fields of a record as a `Surface` shows them, for example the tools. Schemas of tools have no
 * descriptions.
 */
export const shownShape = <R extends RecordDeclaration, S extends Surface>(
  record: R,
  surface: S,
  own: OwnSchemas<R> = {},
) =>
  Object.fromEntries(
    fieldsOf(record).flatMap(([name, field]) => {
      if (!isShown(field, surface)) return [];
      const schema = own[name] ?? shown(field, surface);
      return [[name, surface === 'developer' ? describedAs(schema, field.description?.answer) : schema]];
    }),
  ) as unknown as ShownShape<R, S>;

/** Returns a record for an example. Omitted fields are null. */
export const exampleOf = <R extends RecordDeclaration>(record: R, example: Partial<ShownOf<R>>): ShownOf<R> =>
  Object.fromEntries(
    fieldsOf(record)
      .filter(([, field]) => isShown(field, 'developer'))
      .map(([name]) => [name, example[name as never] ?? null]),
  ) as unknown as ShownOf<R>;

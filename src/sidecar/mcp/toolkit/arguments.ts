import { z } from 'zod';
import { CochleaError } from '../../../errors/index.js';
import { type GivenTime, LocalDay } from '../../../service/days/index.js';
import { searchBounds } from '../../../service/rules/index.js';
import { boolean, clamped, dayEnd, dayStart, noteMoved, read, trimmed } from '../../schemas/index.js';

/** Schemas of tool arguments. In requests they also accept numbers and booleans as text. */

/** Matches a day, YYYY-MM-DD. Excludes year 0, which PostgreSQL does not have. */
const dayForm = /^(?!0000)\d{4}-\d{2}-\d{2}$/;

/** Whether a model left an argument blank, which means that it is absent. */
const blank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

const isDay = (value: unknown): value is string => {
  if (typeof value !== 'string' || !dayForm.test(value.trim())) return false;
  const moment = Date.parse(`${value.trim()}T00:00:00Z`);
  // Date.parse moves a nonexistent day, such as 31 June, into the next month.
  return new Date(moment || 0).toISOString().startsWith(value.trim());
};

/** Returns the JSON schema of a text that is blank or has one of the formats. */
const orBlank = (description: string, ...formats: readonly string[]) => ({
  anyOf: [
    ...formats.map((format) => ({ type: 'string' as const, format })),
    { type: 'string' as const, maxLength: 0 },
  ],
  description,
});

const day = (meaning: string, edge: LocalDay['edge']) =>
  read(orBlank(meaning, 'date'), (value, refuse): GivenTime | undefined => {
    if (blank(value)) return undefined;
    if (isDay(value)) return new LocalDay(value.trim(), edge);
    return refuse('date_parsing', 'Must be a date in the form YYYY-MM-DD');
  }).optional();

/** Returns the schema of the first day of a period, in the user's time zone. */
export const fromDay = (what: string) => day(`${what} on this day (YYYY-MM-DD) or later`, 'first');
/** Returns the schema of the last day of a period in the user's time zone. All of that day is included. */
export const toDay = (what: string) => day(`${what} on this day (YYYY-MM-DD) or earlier`, 'last');

/** Reads a day or a date-time. Blank means absent. A number is refused. */
const givenTime = (value: unknown, schema: typeof dayStart, refuse: () => never): GivenTime | undefined => {
  if (blank(value)) return undefined;
  const parsed = typeof value === 'string' && value.includes('-') ? schema.safeParse(value) : null;
  return parsed?.success ? parsed.data : refuse();
};

const period = (meaning: string, schema: typeof dayStart) =>
  read(orBlank(meaning, 'date-time', 'date'), (value, refuse): GivenTime | undefined =>
    givenTime(value, schema, () => refuse('datetime_parsing', 'Must be an ISO 8601 date or date-time')),
  ).optional();

/** Returns the schema of the beginning of a period: a day, or a date-time, which some clients send. */
export const fromTime = (what: string) =>
  period(`${what} on this day of the user's time zone, or at this time, or later`, dayStart);
/** Returns the schema of the end of a period: a day, or a date-time, which some clients send. */
export const toTime = (what: string) =>
  period(`${what} on this day of the user's time zone, or at this time, or earlier`, dayEnd);

/** Returns the schema of a due time. A day alone means the day's beginning in the user's time zone. Blank means absent. */
export const due = (meaning: string) =>
  read({ type: 'string', description: meaning }, (value, refuse): GivenTime | undefined =>
    givenTime(value, dayStart, () =>
      refuse('datetime_parsing', 'Must be a date (YYYY-MM-DD) or an ISO 8601 date-time'),
    ),
  ).optional();

/** Returns the schema of the earliest moment of a period. */
export const since = (meaning: string) => period(meaning, dayStart);

export const flag = (meaning: string) => boolean.optional().meta({ description: meaning });
export const flagOr = (usual: boolean, meaning: string) =>
  boolean.default(usual).meta({ description: meaning });
/** Returns the schema of a maximum number of results. A number out of range becomes the nearest allowed number. */
export const limit = (usual: number, most: number) => clamped(usual, 1, most);
/** Number of rows to skip. */
export const offset = clamped(0, 0, 100_000);
export const text = (most: number, meaning: string) => trimmed(1, most).meta({ description: meaning });
/** Returns the schema of an optional text. Blank means absent. */
export const optionalText = (most: number, meaning: string) =>
  read({ type: 'string', maxLength: most, description: meaning }, (value, refuse): string | undefined => {
    if (blank(value)) return undefined;
    const parsed = trimmed(1, most).safeParse(value);
    return parsed.success ? parsed.data : refuse('string_type', parsed.error.issues[0]!.message);
  }).optional();
export const choice = <const Values extends readonly [string, ...string[]]>(
  values: Values,
  meaning: string,
) => z.enum(values).optional().meta({ description: meaning });
/** Returns the schema of a list of words, each from `values`. A text is split at commas. */
export const choices = <const Values extends readonly string[]>(values: Values, meaning: string) =>
  read(
    { type: 'array', items: { type: 'string', enum: [...values] }, description: meaning },
    (value, refuse): string[] | undefined => {
      if (blank(value)) return undefined;
      const words = typeof value === 'string' ? value.split(',').map((word) => word.trim()) : value;
      if (!Array.isArray(words) || words.length > values.length) {
        return refuse('list_type', `Must be a list of at most ${values.length} words`);
      }
      for (const word of words) {
        if (!values.includes(word)) return refuse('enum', `Must only have words of: ${values.join(', ')}`);
      }
      return words as string[];
    },
  ).optional();
/** The search query. */
export const query = text(searchBounds.query, 'What is looked for, by meaning and by words');
export const id = (what: string) => trimmed(1, 100).meta({ description: `Id of the ${what}` });

/**
 * Parses the arguments of a call. null means absent, because models write null for omitted arguments.
 * @throws CochleaError `validation_failed` that names the argument.
 */
export const argumentsOf = <Schema extends z.ZodObject>(schema: Schema, given: unknown): z.output<Schema> => {
  if (given !== undefined && (typeof given !== 'object' || given === null || Array.isArray(given))) {
    throw new CochleaError('validation_failed', { why: 'arguments must be an object' });
  }
  const present: Record<string, unknown> = {};
  for (const name of Object.keys(schema.shape)) {
    const value = given !== undefined && Object.hasOwn(given, name) ? given[name as never] : null;
    if (value !== null) present[name] = value;
  }
  const parsed = schema.safeParse(present);
  if (parsed.success) {
    noteMoved(schema, present, parsed.data);
    return parsed.data;
  }
  const [issue] = parsed.error.issues;
  const name = String(issue?.path[0] ?? 'arguments');
  const why = Object.hasOwn(present, name) ? `${name}: ${issue!.message}` : `${name} is required`;
  throw new CochleaError('validation_failed', { why, at: `body.${name}` });
};

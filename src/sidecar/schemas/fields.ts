import { z } from 'zod';
import type { ZodOpenApiMetadata } from 'zod-openapi';
import { characterCount } from '../../common/index.js';
import { type GivenTime, LocalDay } from '../../service/days/index.js';
import { moving } from './moved-numbers.js';

/** Schemas that accept what deployed clients send: numbers and booleans as text, and dates in several formats. */

const yes = new Set(['true', '1', 'yes', 'on', 't', 'y']);
const no = new Set(['false', '0', 'no', 'off', 'f', 'n']);
const largestInteger = 2_147_483_647;
const firstMoment = Date.parse('0001-01-01T00:00:00Z');
const lastMoment = Date.parse('9999-12-31T23:59:59.999Z');
/** Maximum epoch number that counts as seconds. Larger numbers count as milliseconds. */
const largestSeconds = 2e10;

const toNumber = (value: unknown): unknown => {
  if (typeof value !== 'string' || value.trim() === '') return value;
  const number = Number(value);
  return Number.isNaN(number) ? value : number;
};

export const number = z.preprocess(toNumber, z.number());

type JsonSchema = NonNullable<Exclude<ZodOpenApiMetadata['override'], (...context: never) => unknown>>;
type Refuse = (type: string, message: string) => never;

/**
 * Creates a schema with a custom parser. Refused values get the error type that deployed clients expect.
 * @param described JSON schema of the accepted input, for the API's description.
 */
export const read = <Value>(described: JsonSchema, reader: (value: unknown, refuse: Refuse) => Value) =>
  z
    .unknown()
    .transform(
      (value, context): Value =>
        reader(value, (type, message) => {
          context.issues.push({ code: 'custom', input: value, message, params: { type } });
          return z.NEVER;
        }),
    )
    .meta({ override: described });

const integerOf = (value: unknown, refuse: Refuse): number => {
  const given = toNumber(value);
  if (typeof given === 'string') {
    return refuse('int_parsing', 'Input should be a valid integer, unable to parse string as an integer');
  }
  if (typeof given !== 'number') return refuse('int_type', 'Input should be a valid integer');
  if (Number.isInteger(given)) return given;
  return refuse('int_from_float', 'Input should be a valid integer, got a number with a fractional part');
};

const integerSchema = {
  type: 'integer',
  minimum: -largestInteger,
  maximum: largestInteger,
} satisfies JsonSchema;

/** Schema of an integer that fits PostgreSQL's 32-bit type. */
export const integer = read(integerSchema, (value, refuse) => {
  const given = integerOf(value, refuse);
  if (given > largestInteger) {
    return refuse('less_than_equal', `Input should be less than or equal to ${largestInteger}`);
  }
  if (given < -largestInteger) {
    return refuse('greater_than_equal', `Input should be greater than or equal to ${-largestInteger}`);
  }
  return given;
});

export const boolean = z.preprocess((value) => {
  if (typeof value !== 'string') return value;
  const word = value.toLowerCase();
  return yes.has(word) ? true : no.has(word) ? false : value;
}, z.boolean());

const isoMoment = z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()]);
const zone = /(z|[+-]\d{2}:?\d{2})$/i;

const momentOf = (text: string): number => {
  const trimmed = text.trim();
  if (/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(trimmed)) return epochOf(Number(trimmed));
  const iso = trimmed
    .replace(/^(\d{4}-\d{2}-\d{2})[ t_]/, '$1T')
    .replace(/z$/, 'Z')
    // Restores a plus. A plus that a client does not encode in a query arrives as a space.
    .replace(/(T[\d:.]+) (\d{2}:?\d{2})$/, '$1+$2')
    .replace(/([+-]\d{2})(\d{2})$/, offsetColon);
  if (!isoMoment.safeParse(iso).success) return Number.NaN;
  // Adds the zone UTC to a date-time without a zone. Date.parse would read it as local time.
  return Date.parse(iso.length > 10 && !zone.test(iso) ? `${iso}Z` : iso);
};

const offsetColon = (whole: string, hours: string, minutes: string, offset: number): string =>
  offset > 10 ? `${hours}:${minutes}` : whole;

const epochOf = (value: number): number => (Math.abs(value) <= largestSeconds ? value * 1000 : value);

const momentMeaning = `ISO 8601; a time without a zone is UTC. A number counts seconds since 1970, or milliseconds beyond ${largestSeconds}.`;
const dayMeaning = { first: 'its beginning', last: 'its end' } as const;

const dateTimeSchema = {
  anyOf: [
    { type: 'string', format: 'date-time' },
    { type: 'string', format: 'date' },
    { type: 'number', minimum: firstMoment, maximum: lastMoment },
  ],
  description: momentMeaning,
} satisfies JsonSchema;

const dateOf = (value: unknown, refuse: Refuse): Date => {
  const moment =
    typeof value === 'number' ? epochOf(value) : typeof value === 'string' ? momentOf(value) : null;
  if (moment === null) return refuse('datetime_type', 'Input should be a valid datetime');
  if (Number.isNaN(moment)) return refuse('datetime_parsing', 'Input should be a valid datetime');
  if (moment < firstMoment || moment > lastMoment) {
    return refuse('datetime_parsing', 'Input should be a valid datetime between the years 1 and 9999');
  }
  return new Date(moment);
};

/** Schema of a moment: ISO 8601 (UTC if it has no zone), a date alone, or an epoch number in seconds or milliseconds. */
export const dateTime = read(dateTimeSchema, dateOf);

const dayOrTime = (edge: 'first' | 'last') =>
  read(
    {
      ...dateTimeSchema,
      description: `${momentMeaning} A day alone is ${dayMeaning[edge]} in the user's time zone.`,
    },
    (value, refuse): GivenTime => {
      const moment = dateOf(value, refuse);
      const isDay = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value.trim());
      // A refused value is not a Date.
      return isDay && moment instanceof Date ? new LocalDay(value.trim(), edge) : moment;
    },
  );

/** Like `dateTime`, but a date alone means the first millisecond of that day in the user's time zone. `timesOf` converts it to a moment. */
export const dayStart = dayOrTime('first');
/** Like `dayStart`, for the end of a period: a date alone means the last millisecond of that day. */
export const dayEnd = dayOrTime('last');

/** Returns the schema of a page size or offset. An integer out of range is clamped, and the answer has a warning. */
export const clamped = (fallback: number, minimum: number, maximum: number) =>
  moving(
    read(
      {
        type: 'integer',
        default: fallback,
        description: `At least ${minimum}${maximum === Number.MAX_SAFE_INTEGER ? '' : `, at most ${maximum}`}. A value out of range becomes the nearest allowed one.`,
      },
      (value, refuse) => Math.min(maximum, Math.max(minimum, integerOf(value, refuse))),
    )
      .optional()
      .transform((value) => value ?? fallback),
    { minimum, maximum },
  );

const characters = (count: number): string => `${count} character${count === 1 ? '' : 's'}`;

/** Returns the schema of a text. The text is trimmed before its length in code points is checked. */
export const trimmed = (minimum: number, maximum: number) =>
  read(
    { type: 'string', minLength: minimum, maxLength: maximum, ...(minimum > 0 && { pattern: '\\S' }) },
    (value, refuse): string => {
      if (typeof value !== 'string') return refuse('string_type', 'Input should be a valid string');
      const text = value.trim();
      // A code point has one or two code units, so only texts near a limit need counting.
      const isSure = text.length <= maximum ? text.length >= 2 * minimum : text.length > 2 * maximum;
      const length = isSure ? text.length : characterCount(text);
      if (length < minimum) {
        return refuse('string_too_short', `String should have at least ${characters(minimum)}`);
      }
      if (length > maximum) {
        return refuse('string_too_long', `String should have at most ${characters(maximum)}`);
      }
      return text;
    },
  );

import type { FastifyReply } from 'fastify';
import type { ZodType } from 'zod';

/** Numbers of requests that were out of range: they are moved to the nearest that is in it, and the answer warns of that. */

interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
}

const boundsOf = new WeakMap<ZodType, Bounds>();
/** Fields that move numbers, by the schema of their object. */
const fieldsOf = new WeakMap<ZodType, readonly (readonly [name: string, bounds: Bounds])[]>();
/** Warnings of values that were checked. */
const warningsOf = new WeakMap<object, readonly string[]>();

/** Marks a schema that moves numbers into these bounds. */
export const moving = <Schema extends ZodType>(schema: Schema, bounds: Bounds): Schema => {
  boundsOf.set(schema, bounds);
  return schema;
};

/** The fields of an object's schema that move numbers, with their bounds. */
export const movingFields = (schema: ZodType): readonly (readonly [name: string, bounds: Bounds])[] => {
  const known = fieldsOf.get(schema);
  if (known) return known;
  const { shape = {} } = schema as { shape?: Readonly<Record<string, ZodType>> };
  const found = Object.entries(shape).flatMap(([name, field]) => {
    const bounds = boundsOf.get(field);
    return bounds ? [[name, bounds] as const] : [];
  });
  fieldsOf.set(schema, found);
  return found;
};

/** @param meaning names the parameter and its bound, in visible ASCII without quotes. */
const warning = (meaning: string, used: number): string => `${meaning}; ${used} is used`;

/** The warning that a parameter was over its maximum, which is used instead. */
export const overMaximum = (name: string, maximum: number, when = ''): string =>
  warning(`${name} is at most ${maximum}${when}`, maximum);

/**
 * Notes which numbers of a value were moved.
 * @param given as the client sent it.
 * @param value what the schema made of it; its warnings are kept with it.
 */
export const noteMoved = (schema: ZodType, given: unknown, value: unknown): void => {
  const fields = movingFields(schema);
  if (fields.length === 0 || typeof given !== 'object' || given === null) return;
  const found: string[] = [];
  for (const [name, { minimum, maximum }] of fields) {
    const asked = Object.hasOwn(given, name) ? Number(given[name as never]) : Number.NaN;
    if (asked > maximum) found.push(overMaximum(name, maximum));
    else if (asked < minimum) found.push(warning(`${name} is at least ${minimum}`, minimum));
  }
  if (found.length > 0) warningsOf.set(value as object, found);
};

/** The warnings of a value that was checked. */
export const warningsIn = (value: unknown): readonly string[] =>
  (typeof value === 'object' && value !== null && warningsOf.get(value)) || [];

/** Writes warnings into an answer, in place of those that it has. */
export const sendWarnings = (reply: FastifyReply, warnings: readonly string[]): void => {
  if (warnings.length > 0) reply.header('warning', warnings.map((text) => `299 - "${text}"`).join(', '));
};

export const warningHeader = {
  warning: 'Code 299 where a number was out of range and the nearest that is in it was used.',
} as const;

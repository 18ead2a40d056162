import type { FastifyReply } from 'fastify';
import type { ZodType } from 'zod';

/** Clamps request numbers that are out of range to the nearest allowed number. The answer then has a warning. */

interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
}

const boundsOf = new WeakMap<ZodType, Bounds>();
/** Fields with clamped numbers, by the object schema that contains them. */
const fieldsOf = new WeakMap<ZodType, readonly (readonly [name: string, bounds: Bounds])[]>();
/** Warnings by the parsed value that they concern. */
const warningsOf = new WeakMap<object, readonly string[]>();

/** Marks a schema that clamps numbers to these bounds. */
export const moving = <Schema extends ZodType>(schema: Schema, bounds: Bounds): Schema => {
  boundsOf.set(schema, bounds);
  return schema;
};

/** Returns the fields of an object schema that clamp numbers, with their bounds. */
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

/**
 * Returns the text of a warning. @param meaning names the parameter and its limit, in visible ASCII without quotes.
 */
const warning = (meaning: string, used: number): string => `${meaning}; ${used} is used`;

/** Returns the warning for a parameter above its maximum. The maximum is used instead. */
export const overMaximum = (name: string, maximum: number, when = ''): string =>
  warning(`${name} is at most ${maximum}${when}`, maximum);

/**
 * Records which numbers of a request were clamped.
 * @param given the value from the client.
 * @param value the parsed value. Its warnings are stored with it.
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

/** Returns the warnings of a parsed value. */
export const warningsIn = (value: unknown): readonly string[] =>
  (typeof value === 'object' && value !== null && warningsOf.get(value)) || [];

/** Writes warnings into the head of an answer. They replace warnings that were written before. */
export const sendWarnings = (reply: FastifyReply, warnings: readonly string[]): void => {
  if (warnings.length > 0) reply.header('warning', warnings.map((text) => `299 - "${text}"`).join(', '));
};

export const warningHeader = {
  warning: 'Code 299 if a number was out of range and the nearest allowed number was used.',
} as const;

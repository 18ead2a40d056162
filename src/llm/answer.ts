import { z } from 'zod';
import { answerWithoutLinks } from './without-links.js';

/**
 * Schema keywords that some servers refuse, or for which they build very large grammars. They are not sent to the
 * server. This module still checks answers against them.
 */
const unsent = new Set([
  '$schema',
  'default',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'maximum',
  'maxItems',
  'maxLength',
  'minimum',
  'minItems',
  'minLength',
  'pattern',
]);

const withoutKeywords = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutKeywords);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      if (name === 'properties') {
        const properties = Object.entries(inner as object).map(([key, one]) => [key, withoutKeywords(one)]);
        return [[name, Object.fromEntries(properties)]];
      }
      return unsent.has(name) ? [] : [[name, withoutKeywords(inner)]];
    }),
  );
};

/** Returns the JSON schema of an answer in the form that is sent to a server. */
export const sentSchema = (schema: z.ZodType): Record<string, unknown> =>
  withoutKeywords(z.toJSONSchema(schema)) as Record<string, unknown>;

export type Checked<Answer> =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly why: string };

const fence = '```';

/**
 * Returns the JSON text in an answer. Some models write their reasoning before the JSON text, or a Markdown fence
 * around it.
 */
const jsonIn = (text: string): string => {
  const said = text.replace(/^\s*<think>[\s\S]*?<\/think>/, '').trim();
  if (!said.startsWith(fence) || !said.endsWith(fence) || said.length < 2 * fence.length) return said;
  // Does not use a regular expression, because the model's text could make its search very slow.
  const inner = said.slice(fence.length, -fence.length);
  return inner.startsWith('json') ? inner.slice(4) : inner;
};

/** Describes where an answer violates its schema: the paths and the violated rules, without any text of the answer. */
const placesOf = (error: z.ZodError): string =>
  error.issues
    .slice(0, 5)
    .map(({ path, code }) => `${path.map(String).join('.') || 'the answer'}: ${code}`)
    .join('; ');

/**
 * Checks the text of an answer against its schema, and removes links and images from its texts.
 * @param given the text that the model received. Addresses in it may stay in the answer.
 */
export const checkAnswer = <Answer>(
  text: string,
  schema: z.ZodType<Answer>,
  given: string,
): Checked<Answer> => {
  let value: unknown;
  try {
    value = JSON.parse(jsonIn(text));
  } catch {
    return { ok: false, why: 'it is not JSON' };
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) return { ok: false, why: placesOf(parsed.error) };
  // A text that consisted only of a link may now be too short.
  const cleared = schema.safeParse(answerWithoutLinks(parsed.data, given));
  return cleared.success ? { ok: true, answer: cleared.data } : { ok: false, why: placesOf(cleared.error) };
};

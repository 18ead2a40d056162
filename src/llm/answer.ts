import { z } from 'zod';
import { answerWithoutLinks } from './without-links.js';

/**
 * Keywords that servers of the protocol refuse in a schema, or for which they build very large grammars. The answer is checked
 * against all of them here.
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

/** The JSON schema of an answer as it is sent to a server. */
export const sentSchema = (schema: z.ZodType): Record<string, unknown> =>
  withoutKeywords(z.toJSONSchema(schema)) as Record<string, unknown>;

export type Checked<Answer> =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly why: string };

const fence = '```';

/** The JSON of an answer. Some models put thoughts before it, or a fence of Markdown around it. */
const jsonIn = (text: string): string => {
  const said = text.replace(/^\s*<think>[\s\S]*?<\/think>/, '').trim();
  if (!said.startsWith(fence) || !said.endsWith(fence) || said.length < 2 * fence.length) return said;
  // Without an expression: what a model writes must not decide how long it is looked at.
  const inner = said.slice(fence.length, -fence.length);
  return inner.startsWith('json') ? inner.slice(4) : inner;
};

/** Where in an answer a check failed: paths and rules of the schema, nothing of what the answer says. */
const placesOf = (error: z.ZodError): string =>
  error.issues
    .slice(0, 5)
    .map(({ path, code }) => `${path.map(String).join('.') || 'the answer'}: ${code}`)
    .join('; ');

/**
 * Holds the text of an answer to its schema, and takes links and images out of its texts.
 * @param given what the model was given: addresses that stand there may stay.
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
  // A text that was a link alone may be too short now.
  const cleared = schema.safeParse(answerWithoutLinks(parsed.data, given));
  return cleared.success ? { ok: true, answer: cleared.data } : { ok: false, why: placesOf(cleared.error) };
};

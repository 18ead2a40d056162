import { z } from 'zod';
import { answerWithoutLinks } from './without-links.js';

/**
 * Schema keywords that some servers refuse, or for which they build very large grammars. They are not sent; answers are
 * still checked against them here.
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

/** The JSON schema of an answer in the form that is sent to a server. */
export const sentSchema = (schema: z.ZodType): Record<string, unknown> =>
  withoutKeywords(z.toJSONSchema(schema)) as Record<string, unknown>;

export type Checked<Answer> =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly why: string };

const fence = '```';

/** The JSON in an answer. Some models put their reasoning before it, or a Markdown fence around it. */
const jsonIn = (text: string): string => {
  const said = text.replace(/^\s*<think>[\s\S]*?<\/think>/, '').trim();
  if (!said.startsWith(fence) || !said.endsWith(fence) || said.length < 2 * fence.length) return said;
  // Not a regular expression: the model's text must not determine the time of the search.
  const inner = said.slice(fence.length, -fence.length);
  return inner.startsWith('json') ? inner.slice(4) : inner;
};

/** Places in an answer where a check failed: paths and rules of the schema, without any of the answer's text. */
const placesOf = (error: z.ZodError): string =>
  error.issues
    .slice(0, 5)
    .map(({ path, code }) => `${path.map(String).join('.') || 'the answer'}: ${code}`)
    .join('; ');

/**
 * Checks the text of an answer against its schema, and removes links and images from its texts.
 * @param given the text given to the model: addresses in it may stay.
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
  // A text that was only a link may be too short now.
  const cleared = schema.safeParse(answerWithoutLinks(parsed.data, given));
  return cleared.success ? { ok: true, answer: cleared.data } : { ok: false, why: placesOf(cleared.error) };
};

import { z } from 'zod';
import type { LimitWords } from '../limits/index.js';

/**
 * One setting: environment name, schema with default, unit and comment. A setting that limits a client has limit texts, and
 * `docs/limits.md` lists it.
 */
export interface Setting<Schema extends z.ZodType = z.ZodType> extends Partial<LimitWords> {
  readonly env: string;
  readonly schema: Schema;
  readonly unit?: string;
  readonly comment: string;
  /** Whether the value is secret. Secrets are never printed by `cochlea settings` and never logged. */
  readonly secret?: boolean;
}

/** Creates one setting. */
export const setting = <Schema extends z.ZodType>(
  env: string,
  schema: Schema,
  comment: string,
  extra: { unit?: string; secret?: boolean } & (LimitWords | { protects?: never; client?: never }) = {},
): Setting<Schema> => ({ env, schema, comment, ...extra });

/** Returns the schema of a whole number with a default and bounds. */
export const integer = (fallback: number, minimum: number, maximum: number) =>
  z.coerce.number().int().min(minimum).max(maximum).default(fallback);
/** Schema of `true` or `false`; `false` by default. */
export const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true');
/** Schema of `true` or `false`; `true` by default. */
export const flagSet = z
  .enum(['true', 'false'])
  .default('true')
  .transform((value) => value === 'true');
/** Returns the schema of a number from 0 to 1. */
export const fraction = (fallback: number) => z.coerce.number().min(0).max(1).default(fallback);
/** Returns the schema of any text, empty by default. */
export const text = (fallback = '') => z.string().default(fallback);
/** Schema of a text that matches a pattern; empty by default. @param message error for other texts */
export const textLike = (pattern: RegExp, message: string) => z.string().regex(pattern, message).default('');
/** Schema of a text that `parse` accepts; empty by default. @param parse throws an error for an invalid text */
export const parsedText = (parse: (value: string) => unknown) =>
  text().superRefine((value, context) => {
    try {
      parse(value);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
    }
  });
/** Schema of words separated by commas. */
export const list = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((value) =>
      value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    );

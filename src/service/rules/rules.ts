import { characterCount, storableText } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';

/**
 * Rules that several resources share. Callers check types before; REST refuses most violations with its own schemas, and the
 * other callers rely on these.
 */

/**
 * The refusal of a request that breaks a rule.
 * @param why the broken rule.
 * @param at place of the value in a REST request, with dots: `body.title`, `query.cursor`.
 */
export const invalid = (why: string, at = 'body'): CochleaError =>
  new CochleaError('validation_failed', { why, at });

/**
 * A text as it is stored: trimmed, without characters that PostgreSQL cannot hold.
 * @param most code points.
 * @throws CochleaError `validation_failed` when it is blank or too long.
 */
export const requiredText = (field: string, given: string, most: number): string => {
  const text = storableText(given).trim();
  if (text === '') throw invalid(`${field} cannot be empty`, `body.${field}`);
  // No text has more code points than units.
  if (text.length > most && characterCount(text) > most)
    throw invalid(`${field} should have at most ${most} characters`, `body.${field}`);
  return text;
};

/** As `requiredText` for a text that may be absent; blank text counts as absent. */
export const optionalText = (field: string, given: string | null | undefined, most: number): string | null =>
  given === null || given === undefined || given.trim() === '' ? null : requiredText(field, given, most);

/** How a locked record is shown to a reader of its id: with its text cut, or not at all. */
export type LockedRecord = 'cut' | 'refused';

/** Refuses a change that names nothing to change. Absent values are `undefined`. */
export const requireSome = (changes: object, fields: string): void => {
  if (Object.values(changes).every((value) => value === undefined)) {
    throw invalid(`At least one field (${fields}) must be provided`);
  }
};

/** Leaves out properties that are `undefined`: they are absent, while null is a value. */
export const present = <Values extends object>(values: Values): Partial<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Values>;

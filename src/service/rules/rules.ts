import { characterCount, storableText } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';

/**
 * Rules that several resources share. Callers check types first. The REST schemas already refuse most violations.
 * Requests of other callers are checked only by these rules.
 */

/**
 * Returns the error for a request that breaks a rule.
 * @param why the broken rule.
 * @param at path of the value in a REST request, with dots: `body.title`, `query.cursor`.
 */
export const invalid = (why: string, at = 'body'): CochleaError =>
  new CochleaError('validation_failed', { why, at });

/**
 * Returns a text in stored form: trimmed, without characters that PostgreSQL cannot store.
 * @param most maximum number of code points.
 * @throws CochleaError `validation_failed` if it is blank or too long.
 */
export const requiredText = (field: string, given: string, most: number): string => {
  const text = storableText(given).trim();
  if (text === '') throw invalid(`${field} cannot be empty`, `body.${field}`);
  // A text never has more code points than code units.
  if (text.length > most && characterCount(text) > most)
    throw invalid(`${field} should have at most ${most} characters`, `body.${field}`);
  return text;
};

/** Like `requiredText`, for an optional text. Blank text counts as absent. */
export const optionalText = (field: string, given: string | null | undefined, most: number): string | null =>
  given === null || given === undefined || given.trim() === '' ? null : requiredText(field, given, most);

/** The result of reading a locked record by id. `cut`: the record with a shortened text. `refused`: an error. */
export type LockedRecord = 'cut' | 'refused';

/** Refuses a change that changes no field. Absent values are `undefined`. */
export const requireSome = (changes: object, fields: string): void => {
  if (Object.values(changes).every((value) => value === undefined)) {
    throw invalid(`At least one field (${fields}) must be provided`);
  }
};

/** Removes properties that are `undefined`. Keeps properties that are null. */
export const present = <Values extends object>(values: Values): Partial<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Values>;

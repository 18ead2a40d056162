import { chosenMoment, type Mention, type Said } from '../dates/index.js';

/**
 * Returns the due time of a task. Dates and times before the phrase have priority. Dates and times in the task's words
 * add what is missing.
 */
export const dueOf = (before: readonly Mention[], inText: readonly Mention[], said: Said): number | null => {
  const meant = before.filter((mention) => chosenMoment([mention], said) !== null);
  if (meant.length === 0) return chosenMoment(inText, said);
  if (meant.some(({ moment }) => moment !== null)) return chosenMoment(meant, said);
  const hasDay = meant.some(({ date, part }) => date !== null || part?.today);
  const hasTime = meant.some(({ time }) => time !== null);
  const more = inText.filter(({ date, time, moment }) =>
    moment !== null
      ? false
      : hasDay
        ? !hasTime && date === null
        : hasTime
          ? date !== null && time === null
          : date !== null || time !== null,
  );
  return chosenMoment([...meant, ...more], said);
};

import { type Mention, mentionsIn, momentIn, type Said } from './mentions.js';

/** A period of time, in ms since the epoch. `end` is null if no end was mentioned. */
export interface Period {
  readonly words: string;
  readonly start: number;
  readonly end: number | null;
  /** Whether a day or a clock time was named. */
  readonly dated: boolean;
}

/** Removes the dates of a text, and the prepositions before them. */
export const withoutDates = (text: string): string => {
  let rest = text;
  for (const { index, end } of mentionsIn(text, { at: 0, timeZone: 'UTC' }).reverse()) {
    const before = rest
      .slice(0, index)
      .replace(
        /\b(?:by|on|at|before|until|from|for|in|around|after|the end of|since)(?: the| about| around)? ?$/i,
        '',
      );
    rest = `${before}${rest.slice(end)}`;
  }
  return rest
    .replace(/\s+/g, ' ')
    .replace(/ (?=[,.])/g, '')
    .trim();
};

/**
 * Returns the due time that a text names. It is the time of the first phrase that names a day. If this phrase names no
 * clock time, the first clock time of the text is added.
 */
export const chosenMoment = (mentions: readonly Mention[], said: Said): number | null => {
  const meant = mentions.filter(
    ({ date, time, part, moment }) => date !== null || time || part || moment !== null,
  );
  const ahead = meant.filter((mention) => momentIn(mention, said) !== null);
  const first =
    ahead.find(({ date, part, describes }) => !describes && (date !== null || part?.today)) ??
    ahead.find(({ date }) => date !== null) ??
    ahead[0];
  if (first === undefined) return null;
  if (first.moment !== null || first.time !== null || first.before) return momentIn(first, said);
  const other = meant.find(
    ({ date, time, part }) => date === null && (time !== null || (first.part === null && part !== null)),
  );
  if (other === undefined || (first.date === null && !first.part?.today)) return momentIn(first, said);
  return momentIn({ ...first, time: other.time, part: first.part ?? other.part }, said);
};

/** Finds dates in an English sentence that are later than `saidAt`, in the user's time zone. */
export const periodsIn = (text: string, saidAt: Date, timeZone: string): Period[] => {
  const said = { at: saidAt.getTime(), timeZone };
  return mentionsIn(text, said).flatMap((mention) => {
    const start = momentIn(mention, said);
    if (start === null) return [];
    const { time } = mention;
    const until = time?.until ?? null;
    const end =
      until === null ? null : momentIn({ ...mention, time: { ...time!, minutes: until, sure: true } }, said);
    const plausible = end !== null && end > start;
    const dated = (mention.date !== null && !mention.vague) || time !== null || mention.moment !== null;
    return [{ words: text.slice(mention.index, mention.end), start, end: plausible ? end : null, dated }];
  });
};

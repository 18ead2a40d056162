const two = (value: number): string => String(value).padStart(2, '0');

/** Returns seconds as `1:02:03` or `02:03`. */
export const clockOf = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  return `${hours > 0 ? `${hours}:` : ''}${two(minutes)}:${two(whole % 60)}`;
};

const dateAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Returns a time in the words of this browser's language. @param time ISO 8601; null gives an empty text. */
export const timeOf = (time: string | null): string =>
  time === null ? '' : dateAndTime.format(new Date(time));

/**
 * Returns a period in the words of this browser's language. If start and end are on the same day, names the day only
 * once.
 * @param end null for a period that has not ended
 */
export const periodOf = (start: string | null, end: string | null): string =>
  start === null || end === null
    ? timeOf(start)
    : dateAndTime.formatRange(new Date(start), new Date(Math.max(Date.parse(start), Date.parse(end))));

const exactTime = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** Returns a time of today with its seconds. @param at ms since 1970 */
export const momentOf = (at: number): string => exactTime.format(at);

/** Number of colours and shapes of speakers in the style sheet. */
const speakerStyles = 6;

/** Returns the class of a speaker's colour and shape. */
export const speakerClass = (speakerId: number): string => `who who-${Math.abs(speakerId) % speakerStyles}`;

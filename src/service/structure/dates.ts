import { createRequire } from 'node:module';

/** A period of time, in ms since the epoch. `end` is null where none was mentioned. */
export interface Period {
  readonly words: string;
  readonly start: number;
  readonly end: number | null;
  /** Whether a day or an hour was mentioned. */
  readonly dated: boolean;
  /** Whether a day was mentioned. */
  readonly day: boolean;
}

const day = 86_400_000;
const noon = day / 2;
/** "Nine hours" is how long something takes, and not when it is. */
const duration = /^\S+ (?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)$/i;
const relative = /^(?:next|this|last|in|within|after)\b/i;
const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (formats.size < 1000) formats.set(timeZone, made);
  return made;
};

/** What the clocks of a zone show at a moment, as the moment at which those of UTC show the same. */
const wallClock = (at: number, timeZone: string): number => {
  if (timeZone === 'UTC') return at;
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>;
  return Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second);
};

/** The moment at which the clocks of a zone show a time; of a time that is skipped in spring, an hour later. */
const momentOf = (wall: number, timeZone: string): number => {
  if (timeZone === 'UTC') return wall;
  const first = wall - (wallClock(wall, timeZone) - wall);
  return wall - (wallClock(first, timeZone) - first);
};

/** The days for which "before Tuesday" leaves time end a day earlier. */
const before = /\bbefore (?:the )?(?:end of )?$/i;

const hours = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const spelt = new RegExp(
  `\\b(at|around|until|from) (${hours.join('|')})(?! (?:of|days|weeks|people|times))\\b`,
  'gi',
);

/** "The evening on Friday", which the library takes for today. */
const partOfDay = /\b(?:morning|afternoon|evening|night)(?= on \w{2,9}day\b)/gi;

/** Hours as digits and days alone, which is how the library reads them; every word keeps its place. */
const withHours = (text: string): string =>
  text
    .replace(partOfDay, (whole) => ' '.repeat(whole.length))
    .replace(spelt, (whole, lead: string, hour: string) => {
      const digits = `${lead} ${hours.indexOf(hour.toLowerCase()) + 1}`;
      return digits.padEnd(whole.length);
    });

const require = createRequire(import.meta.url);
let chrono: typeof import('chrono-node/en') | undefined;

/** The parser of dates, loaded with the first text: it has as many modules as the rest of this folder. */
const parser = () => {
  chrono ??= require('chrono-node/en') as typeof import('chrono-node/en');
  return chrono.casual;
};

/** A text without its dates and the prepositions before them. */
export const withoutDates = (text: string): string => {
  let rest = text;
  for (const { index, text: words } of parser().parse(withHours(text)).reverse()) {
    rest = `${rest.slice(0, index).replace(/\b(?:by|on|at|before|until|from|for|in|the end of|since) ?$/i, '')}${rest.slice(index + words.length)}`;
  }
  return rest
    .replace(/\s+/g, ' ')
    .replace(/ (?=[,.])/g, '')
    .trim();
};

/**
 * Dates in an English sentence that are after the moment it was said, as the clocks of the user's zone show them. The name of a
 * weekday means its next occurrence; a day without an hour is its noon, and "before" a day is the day before.
 */
export const periodsIn = (text: string, saidAt: Date, timeZone: string): Period[] => {
  // The library reckons in UTC with what the clock on the wall shows, so that summer time may begin in between.
  const said = Math.floor(wallClock(saidAt.getTime(), timeZone) / 1000) * 1000;
  return parser()
    .parse(withHours(text), { instant: new Date(said), timezone: 0 }, { forwardDate: true })
    .flatMap((result) => {
      const named = (part: 'hour' | 'day' | 'weekday' | 'meridiem'): boolean => result.start.isCertain(part);
      const whole = !named('hour') && before.test(text.slice(0, result.index));
      if (duration.test(result.text) && !relative.test(result.text)) return [];
      let start = result.start.date().getTime();
      // A day without an hour has the hour at which it was said ("tomorrow"); its noon is meant instead.
      if (!named('hour') && start % day === said % day) start += noon - (start % day);
      // "At three" is in the afternoon.
      const hour = result.start.get('hour')!;
      if (named('hour') && !named('meridiem') && hour >= 1 && hour <= 6 && /^\D*\d(?!\d)/.test(result.text))
        start += day / 2;
      // Today is called today, so the name of its weekday is that of next week.
      const today = Math.floor(start / day) === Math.floor(said / day);
      if (named('weekday') && (today || start <= said)) start += 7 * day;
      if (whole) start -= day;
      if (start <= said) return [];
      const end = result.end?.date().getTime() ?? start;
      const plausible = end > start && end - start <= day;
      const dated = named('hour') || named('day') || named('weekday');
      return [
        {
          words: result.text,
          start: momentOf(start, timeZone),
          end: plausible ? momentOf(end, timeZone) : null,
          dated,
          day: named('day') || named('weekday'),
        },
      ];
    });
};

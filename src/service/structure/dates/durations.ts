import { numberOf, numberWord } from './numbers.js';
import type { Span } from './spans.js';

/** A duration in a text. It states a distance in time, a length or a frequency. */
export interface Duration extends Span {
  readonly months: number;
  readonly days: number;
  /** Elapsed time in ms, independent of clock changes. */
  readonly ms: number;
  /** Whether the duration counts from now ("in two days", "two days from now"). If not, it is a length or a frequency. */
  readonly fromNow: boolean;
  /**
   * How the duration shifts a date that follows it. 1: the duration is added to the date ("two days after Friday"). -1:
   * it is subtracted ("two days before Friday"). 0: it does not shift a date.
   */
  readonly anchor: 1 | -1 | 0;
}

const unit =
  '(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|fortnights?|months?|years?|nights?)(?![\\w-])';
const part = '(?: and (?:a (?:half|quarter)|three quarters))';
const the =
  '(?:the next|the(?= (?:day|night) (?:before|after) )|(?<=\\bwithin )the(?= (?:hour|day|week|month|year)\\b))';
const amount = `(?:(?!(?:[01]\\d|2[0-3])[0-5]\\d (?:hours|hrs))\\d{1,4}(?:[.,]\\d{1,2})?|(?:a )?(?:couple|few)(?: of)?|several|(?:half(?: an?)?|a half|(?:a|one|three) quarters?(?: of)?(?: an?))|an?|${the}|${numberWord})`;
const also = `(?:,? (?:and )?(?<more>${amount}) (?<moreUnit>${unit}))`;
/**
 * Pattern of a duration. The library chrono-node is not used: it reads number words only up to twelve, and does not
 * read halves. It also adds hours in the time zone of the process, not of the user.
 */
const pattern = new RegExp(
  `(?:(?<lead>\\b(?:in|within|after)) (?:about |around |roughly |maybe |like |just |another |exactly |the next )?)?(?<![\\w.,$])(?<count>${amount})(?<partly>${part})?(?:(?: or | to |-)${amount})?[ -](?<unit>${unit})(?<more0>${part})?${also}?(?<tail>'s?(?= time)| from (?:now|today)| time|(?<!\\bwithin the \\w{3,5}) (?:from|after|before|past|prior to)(?= ))?`,
  'gi',
);

/** Matches the rest of a clock time such as "ten minutes to three", which is not a duration. */
const clockTime =
  /^ to (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2}|noon|midday|midnight)(?:$|[,.;!?]| ?[ap]\.?m\b| (?:to|on|tomorrow|tonight|today|this|in the|o'clock|and|i|we|sharp)\b)/i;

/** Pattern that matches every duration. It is tested first, because it is fast. */
const hint = /\b(?:second|sec|minute|min|hour|hr|day|week|fortnight|month|year|night)s?\b/i;

const minute = 60_000;
const lengths: readonly (readonly [RegExp, 'ms' | 'days' | 'months', number])[] = [
  [/^s/i, 'ms', 1000],
  [/^mi/i, 'ms', minute],
  [/^h/i, 'ms', 60 * minute],
  [/^(?:d|n)/i, 'days', 1],
  [/^w/i, 'days', 7],
  [/^f/i, 'days', 14],
  [/^mo/i, 'months', 1],
  [/^y/i, 'months', 12],
];

const countOf = (words = 'zero'): number => {
  if (/^(?:an?|the(?: next)?)$/i.test(words)) return 1;
  if (/couple/i.test(words)) return 2;
  if (/few|several/i.test(words)) return 3;
  if (/quarter/i.test(words)) return /three/i.test(words) ? 0.75 : 0.25;
  return /half/i.test(words) ? 0.5 : numberOf(words);
};

const add = (length: { months: number; days: number; ms: number }, count: number, name = 's'): void => {
  const [, kind, size] = lengths.find(([first]) => first.test(name))!;
  const total = count * size;
  // Fractions of months are converted to days, and fractions of days to ms.
  if (kind === 'months' && !Number.isInteger(total)) {
    length.months += Math.floor(total);
    length.days += Math.round((total % 1) * 30);
  } else if (kind === 'days' && !Number.isInteger(total)) length.ms += total * 24 * 60 * minute;
  else length[kind] += total;
};

/** Finds the durations in a text, in order. */
export const durationsIn = (text: string): Duration[] => {
  if (!hint.test(text)) return [];
  const found: Duration[] = [];
  for (const match of text.matchAll(pattern)) {
    const { index, groups = {} } = match;
    const { lead, tail = '' } = groups;
    const end = index + match[0].length;
    if (clockTime.test(text.slice(end, end + 30))) continue;
    const length = { months: 0, days: 0, ms: 0 };
    add(length, countOf(groups.count) + countOf(groups.partly) + countOf(groups.more0), groups.unit);
    add(length, countOf(groups.more), groups.moreUnit);
    const anchor = /^ (?:from|after|past)$/i.test(tail) ? 1 : /^ (?:before|prior to)$/i.test(tail) ? -1 : 0;
    found.push({
      ...length,
      index,
      // The last word is the preposition of the date that follows, so it is not part of the duration.
      end: anchor === 0 ? end : end - tail.length,
      fromNow: (lead !== undefined || /from|time/i.test(tail)) && anchor === 0,
      anchor,
    });
  }
  return found;
};

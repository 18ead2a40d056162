import { numberOf, numberWord } from './numbers.js';

/** A duration in a text, from `index` to `end`. It says how much later, how long or how often. */
export interface Duration {
  readonly index: number;
  readonly end: number;
  readonly months: number;
  readonly days: number;
  /** Elapsed time in ms, independent of clock changes. */
  readonly ms: number;
  /** Whether the duration counts from now ("in two days", "two days from now"). If not, it is a length or a frequency. */
  readonly fromNow: boolean;
  /** How the duration shifts a date that follows it. 1: after the date. -1: before the date. 0: not at all. */
  readonly anchor: 1 | -1 | 0;
}

const unit =
  '(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|fortnights?|months?|years?|nights?)(?![\\w-])';
const part = '(?: and (?:a (?:half|quarter)|three quarters))';
const amount = `(?:(?!(?:[01]\\d|2[0-3])[0-5]\\d (?:hours|hrs))\\d{1,4}(?:[.,]\\d{1,2})?|(?:a )?(?:couple|few)(?: of)?|several|(?:half(?: an?)?|a half|(?:a|one|three) quarters?(?: of)?(?: an?))|an?|the next|the(?= (?:day|night) (?:before|after) )|${numberWord})`;
const also = `(?:,? (?:and )?(?<more>${amount}) (?<moreUnit>${unit}))`;
const source = `(?:(?<lead>\\b(?:in|within|after)) (?:about |around |roughly |maybe |like |just |another |exactly |the next )?)?(?<![\\w.,$])(?<count>${amount})(?<partly>${part})?(?:(?: or | to |-)${amount})?[ -](?<unit>${unit})(?<more0>${part})?${also}?(?<tail>'s?(?= time)| from (?:now|today)| time| (?:from|after|before|past|prior to)(?= ))?`;
const pattern = new RegExp(source, 'gi');
const withinUnit = /\bwithin the (?<unit>hour|day|week|month|year)\b/gi;

/** Matches the rest of a clock time such as "ten minutes to three", which is not a duration. */
const clockTime =
  /^ to (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2}|noon|midday|midnight)(?:$|[,.;!?]| ?[ap]\.?m\b| (?:to|on|tomorrow|tonight|today|this|in the|o'clock|and|i|we|sharp)\b)/i;

/** Matches words of durations. Every duration contains at least one. They are tested first to save time. */
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

const countOf = (words: string): number => {
  const low = words.toLowerCase();
  if (/^an?$|^the(?: next)?$/.test(low)) return 1;
  if (/couple/.test(low)) return 2;
  if (/few|several/.test(low)) return 3;
  if (/three quarter/.test(low)) return 0.75;
  if (/quarter/.test(low)) return 0.25;
  if (/half/.test(low)) return 0.5;
  return numberOf(low);
};
const partOf = (words: string | undefined): number =>
  words === undefined ? 0 : /half/i.test(words) ? 0.5 : /three/i.test(words) ? 0.75 : 0.25;

type Length = { months: number; days: number; ms: number };

const add = (length: Length, count: number, name: string): void => {
  const [, kind, size] = lengths.find(([first]) => first.test(name))!;
  const total = count * size;
  // Fractions of months become days, and fractions of days become ms.
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
    const { lead, count, partly, more0, more, moreUnit, tail } = match.groups!;
    if (clockTime.test(text.slice(match.index + match[0].length, match.index + match[0].length + 30)))
      continue;
    const length: Length = { months: 0, days: 0, ms: 0 };
    const value = countOf(count!) + partOf(partly) + partOf(more0);
    if (!Number.isFinite(value)) continue;
    add(length, value, match.groups!.unit!);
    if (more !== undefined && Number.isFinite(countOf(more))) add(length, countOf(more), moreUnit!);
    const behind = tail?.trim().toLowerCase() ?? '';
    const relation = /^(?:from|after|past)$/.test(behind) ? 1 : /^(?:before|prior to)$/.test(behind) ? -1 : 0;
    const index = match.index;
    found.push({
      ...length,
      index,
      // The last word is the preposition of the date that follows, so it is not part of the duration.
      end: index + match[0].length - (relation === 0 ? 0 : tail!.length),
      fromNow: (lead !== undefined || /from|time/.test(behind)) && relation === 0,
      anchor: relation,
    });
  }
  for (const match of text.matchAll(withinUnit)) {
    const length: Length = { months: 0, days: 0, ms: 0 };
    add(length, 1, match.groups!.unit!);
    found.push({
      ...length,
      index: match.index,
      end: match.index + match[0].length,
      fromNow: true,
      anchor: 0,
    });
  }
  return found.sort((left, right) => left.index - right.index);
};

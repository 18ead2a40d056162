import { hourWord, minuteWord, numberOf, numberWord } from './numbers.js';
import type { Span } from './spans.js';

export type PartOfDay = 'morning' | 'afternoon' | 'evening' | 'night';

/** A clock time or a part of the day in a text. */
export interface ClockTime extends Span {
  /** Minutes from midnight; null if the text names only a part of the day. */
  readonly minutes: number | null;
  /** Whether the time is certainly before or after noon. The text says so, or uses a 24-hour time. */
  readonly sure: boolean;
  readonly part: PartOfDay | null;
  /** Whether the words also mean the present day ("tonight", "this evening"). */
  readonly today: boolean;
  /** End of a range, in minutes from midnight; null if the time is not a range. */
  readonly until: number | null;
}

const half = '(?: ?(?<half>[ap]\\.m\\.|[ap]\\.?m\\.?)(?![\\w]))';
const anyHour = `(?:${hourWord}|2[0-3]|1\\d|0?\\d)`;
const hour = `(?<hour>${anyHour})`;
const named = '(?<named>noon|midday|midnight)';
const before = '(?:at|by|before|until|till|around|about|from|after|since|past|between|for)';
const prefix = `(?:(?<=\\b${before} )|(?<=\\b(?:at|by|before|after) (?:about|around|exactly|like|roughly|maybe) ))`;
const weekday = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const days = `${weekday}|today|tomorrow|tonight|tmrw|(?:this )?(?:morning|afternoon|evening)|weekend`;
const inPart = 'in the (?:morning|afternoon|evening)|at night';
const minutes = `(?:[0-5]?[1-9]|[1-5]0|${numberWord})`;
/** Pattern of text that may follow an hour without minutes. "At five people" does not contain an hour. */
const alone = `(?!\\w|[-/]\\d|[.:,]\\d| ?[%$€°])(?=[.,;:!?)"…—–-]|$| (?:${inPart}|${days}|on|this|next|and|or|to|till|until|with|because|so|but|before|after|when|if|at|by|for|from|about|please|sharp|then|every|i|i'm|i'll|we|you|he|she|they|it|the|my|our|since|while|as|latest|instead|not|no|sorry|wait|actually|rather|make|remind|which|that|unless|okay|ok|though|too|right|per)\\b)`;

const time = (pattern: string): RegExp => new RegExp(`\\b${pattern}`, 'gi');
/**
 * Patterns of spoken times. The library chrono-node reads written times only. It misreads "at 5 a friend" as 5 a.m.,
 * and "at 6 get milk" as a time in Georgia (GET). It also finds a time in "at 5 people".
 */
const patterns = [
  time(`(?<!\\w)(?<count>half)[ -]past ${hour}(?!\\w|:)${half}?`),
  time(`(?<=\\b(?:at|by|before|until|around) )(?<count>half) (?<hour>${hourWord})(?!\\w)${half}?`),
  time(
    `(?<!\\w)(?:a )?(?<count>quarter) (?<side>past|after|to|of|till|before) (?:${named}|${hour})(?!\\w|:)${half}?`,
  ),
  // "Ten to five" is a range of hours. After a word such as "at", it is a clock time.
  time(
    `(?:${prefix}(?<!\\b(?:from|between) )(?<count>${minutes})|(?<!\\w)(?<count2>${minutes}(?= minute)|20|25|twenty(?:[ -]five)?))(?: minutes?)? (?<side>past|after|to|till|before) (?:${named}|${hour})(?!\\w|:)${half}?`,
  ),
  time(`(?<![\\w.,:$€])${hour}(?::|\\.(?=\\d\\d ?[ap]))(?<minute>[0-5]\\d)(?!\\d|[:.]\\d)${half}?`),
  time(
    `(?:${prefix}|(?<=\\b(?:${days}) ))(?<hour>${hourWord})[ -](?<minute>${minuteWord})(?:${half}|(?!\\w|-(?!ish\\b)))`,
  ),
  time(`(?<!\\w)(?<hour>${hourWord})[ -](?<minute>${minuteWord})(?:${half}|(?= (?:${inPart})\\b))`),
  time(`${prefix}${hour} (?<minute>[0-5]\\d)(?![\\d.,:])(?:${half}|${alone})`),
  time('(?<![\\w.,:$€])(?<hour>[01]\\d|2[0-3])(?<minute>[0-5]\\d)(?= (?:hours|hrs)\\b)'),
  time(`(?<![\\w.,:$€])${hour}${half}`),
  time(`(?<!\\w)${hour} ?o'? ?clock\\b${half}?`),
  time(`(?<!\\w)${hour}(?= (?:${inPart}|tonight)\\b)`),
  time(
    `(?<![\\w.,:$€])${hour}(?= ?(?:-|–|to|till|until) ?(?:\\d{1,2}(?::\\d\\d)?|${numberWord}) ?(?:[ap]\\.?m\\b|o'clock))`,
  ),
  time(`(?<=\\bfrom )${hour}(?= (?:to|till|until) (?:\\d{1,2}|${numberWord})\\b)`),
  time(`(?<=\\bbetween )(?<hour>${hourWord}|1\\d|\\d)(?= and (?:\\d{1,2}|${numberWord})\\b)`),
  // "From five to six" and "between five and six" are ranges. Other words before "to" and "and" are not hours.
  time(
    `(?<=\\b(?:at|by|before|until|till|around|after) (?:(?:about|around|like|say|maybe|roughly) )?|\\b(?:from|between|at) (?:\\w+|\\d{1,2}:\\d\\d)(?: ?[ap]\\.?m\\.?)? (?:to|and) )${hour}(?:[ -]?ish)?(?! (?:to|by|and) (?:the )?(?:other|one)\\b)${alone}`,
  ),
  time(
    '(?<!\\w)(?<named>noon|midday|midnight|(?<=\\b(?:at|by|before|until|around|about|tomorrow|\\w+day) )lunch ?time)\\b',
  ),
  time(`\\b(?<named>(?:about |around )?this time)(?= (?:tomorrow|next |on |${weekday}))`),
  time(
    '\\b(?<named>(?:the )?end of (?:the |my )?(?:(?:work(?:ing)? |business |school )?day|play|business)|eod|cob|cop|close of (?:business|play))\\b',
  ),
  time('\\b(?<this>(?:later )?)(?<part>tonight)\\b'),
  time(
    `(?:(?<=\\b(?:${days}|(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)) )|(?<=\\b(?:every|each|the next|that) )|\\b(?<this>this |later this )|\\b(?:in|by|before|until|during) the (?:early |late )?|\\b(?:by|in|at) (?=night\\b)|(?<=\\b\\d(?:st|nd|rd|th)? )in the |\\b(?:early |late )?(?<=\\b(?:early|late) )|\\b(?:on )?the (?=[a-z]+ (?:of|on) (?:the \\d|\\w+day\\b)))(?<part>morning|afternoon|evening|night)(?! (?:shift|person|owl|school|class|coffee|paper|sickness|sky|club))\\b`,
  ),
];
/** Pattern that matches every clock time and part of the day. It is tested first, because it is fast. */
const hint = new RegExp(
  `\\d|\\b(?:${hourWord}|noon|midday|midnight|lunch|morning|afternoon|evening|night|tonight|this time|eod|co[bp]|end of|close of)`,
  'i',
);

/**
 * Returns an hour in minutes from midnight. `halfOfDay` is "a.m.", "p.m." or undefined. Returns null for a number that
 * is no hour of a clock.
 */
const hourOf = (word: string, halfOfDay: string | undefined): Pick<ClockTime, 'minutes' | 'sure'> | null => {
  const value = numberOf(word);
  if (!(value <= 24)) return null;
  if (halfOfDay === undefined)
    return { minutes: (value % 24) * 60, sure: value > 12 || value === 0 || /^0\d/.test(word) };
  if (value > 12 || value === 0) return null;
  return { minutes: ((value % 12) + (/^p/i.test(halfOfDay) ? 12 : 0)) * 60, sure: true };
};
const minutesOf = (words: string): number => {
  if (/half/i.test(words)) return 30;
  return /quarter/i.test(words) ? 15 : numberOf(words.replace(/^(?:oh|o|zero) /i, ''));
};
const namedMinutes = (words: string, now: number): number => {
  if (/this time/i.test(words)) return now;
  if (/midnight/i.test(words)) return 0;
  return /noon|midday|lunch/i.test(words) ? 12 * 60 : 17 * 60;
};

/** Returns the time that a match means; null if there is no such clock time. */
const read = (match: RegExpExecArray, now: number): ClockTime | null => {
  const { index, groups = {} } = match;
  const { part, count = groups.count2 ?? groups.minute ?? '0', side = '' } = groups;
  const blank = { index, end: index + match[0].length, part: null, today: false, until: null };
  if (part !== undefined) {
    const name = part.toLowerCase().replace('tonight', 'night') as PartOfDay;
    return { ...blank, minutes: null, sure: false, part: name, today: groups.this !== undefined };
  }
  const base = groups.named
    ? { minutes: namedMinutes(groups.named, now), sure: true }
    : hourOf(groups.hour!, groups.half);
  const shift = minutesOf(count);
  if (base === null || !(shift < 60)) return null;
  const sign = /^(?:to|of|till|before)$/i.test(side) ? -1 : 1;
  return { ...blank, minutes: (base.minutes! + sign * shift + 1440) % 1440, sure: base.sure };
};

const joint = /^ ?(?:-|–|to|till|until|and) ?$/i;

/** Joins the two times of a range into one time with an end. "a.m." or "p.m." at the end also applies to the beginning. */
const withRanges = (times: readonly ClockTime[], text: string): ClockTime[] => {
  const joined: ClockTime[] = [];
  for (const next of times) {
    const last = joined.at(-1);
    const between = last ? text.slice(last.end, next.index) : '';
    const isRange =
      typeof last?.minutes === 'number' &&
      next.minutes !== null &&
      last.until === null &&
      joint.test(between) &&
      (!/and/i.test(between) || /\b(?:between|from) $/i.test(text.slice(0, last.index)));
    if (!isRange) {
      joined.push(next);
      continue;
    }
    const end = next.minutes;
    const start = (last.minutes % 720) + (end >= 720 ? 720 : 0);
    const settled =
      last.sure || !next.sure ? {} : { minutes: start <= end ? start : last.minutes, sure: true };
    joined[joined.length - 1] = { ...last, ...settled, end: next.end, until: end };
  }
  return joined;
};

/**
 * Finds clock times and parts of the day in an English text, in order. If matches overlap, the longest one applies.
 * @param now present time of the user, in minutes from midnight. "This time tomorrow" refers to this time.
 */
export const clockTimesIn = (text: string, now: number): ClockTime[] => {
  if (!hint.test(text)) return [];
  const found = patterns
    .flatMap((pattern) => [...text.matchAll(pattern)].flatMap((match) => read(match, now) ?? []))
    .sort((left, right) => left.index - right.index || right.end - left.end);
  const kept: ClockTime[] = [];
  for (const one of found) if (one.index >= (kept.at(-1)?.end ?? 0)) kept.push(one);
  return withRanges(kept, text);
};

/** The time of a reminder for each part of the day, in minutes from midnight. */
export const startOf: Readonly<Record<PartOfDay, number>> = {
  morning: 360,
  afternoon: 900,
  evening: 1200,
  night: 1320,
};

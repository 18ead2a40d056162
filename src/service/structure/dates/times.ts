import { numberOf, numberWord } from './numbers.js';

export type PartOfDay = 'morning' | 'afternoon' | 'evening' | 'night';

/** A clock time or a part of the day in a text, from `index` to `end`. */
export interface ClockTime {
  readonly index: number;
  readonly end: number;
  /** Minutes from midnight; null for a part of the day. */
  readonly minutes: number | null;
  /** Whether it is known that the time is before or after noon: the text says it, or the time is a 24-hour time. */
  readonly sure: boolean;
  readonly part: PartOfDay | null;
  /** Whether the words also mean the present day ("tonight", "this evening"). */
  readonly today: boolean;
  /** End of a range, in minutes from midnight; null if the time is not a range. */
  readonly until: number | null;
}

const half = '(?: ?(?<half>[ap]\\.m\\.|[ap]\\.?m\\.?)(?![\\w]))';
const hour = '(?<hour>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|2[0-3]|1\\d|0?\\d)';
const hourWord = '(?<hour>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)';
const named = '(?<named>noon|midday|midnight)';
const before = '(?:at|by|before|until|till|around|about|from|after|since|past|between|for)';
const prefix = `(?:(?<=\\b${before} )|(?<=\\b(?:at|by|before|after) (?:about|around|exactly|like|roughly|maybe) ))`;
const minuteWord =
  '(?:(?:oh|o|zero) (?:one|two|three|four|five|six|seven|eight|nine)|(?:twenty|thirty|forty|fifty)(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)';
const days =
  '(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|tonight|tmrw|(?:this )?(?:morning|afternoon|evening)|weekend';
/** Pattern of text that may follow an hour without minutes. "At five people" does not contain an hour. */
const alone = `(?!\\w|[-/]\\d|[.:,]\\d| ?[%$€°])(?=[.,;:!?)"…—–-]|$| (?:in the (?:morning|afternoon|evening)|at night|${days}|on|this|next|and|or|to|till|until|with|because|so|but|before|after|when|if|at|by|for|from|about|please|sharp|then|every|i|i'm|i'll|we|you|he|she|they|it|the|my|our|since|while|as|latest|instead|not|no|sorry|wait|actually|rather|make|remind|which|that|unless|okay|ok|though|too|right|per)\\b)`;

const time = (pattern: string): RegExp => new RegExp(pattern, 'gi');
const patterns = {
  halfPast: time(`(?<!\\w)half(?: past |-past )${hour}(?!\\w|:)${half}?`),
  half: time(`(?<=\\b(?:at|by|before|until|around) )half ${hourWord}(?!\\w)${half}?`),
  quarter: time(
    `(?<!\\w)(?:a )?quarter (?<side>past|after|to|of|till|before) (?:${named}|${hour})(?!\\w|:)${half}?`,
  ),
  minutes: time(
    `(?:(?<sure>${prefix})|(?<!\\w))(?<count>\\d{1,2}|${numberWord})(?<unit> minutes?)? (?<side>past|after|to|till|before) (?:${named}|${hour})(?!\\w|:)${half}?`,
  ),
  digits: time(`(?<![\\w.,:$€])${hour}(?::|\\.(?=\\d\\d ?[ap]))(?<minute>[0-5]\\d)(?!\\d|[:.]\\d)${half}?`),
  spoken: time(
    `(?:(?<sure>${prefix}|(?<=\\b(?:${days}) ))|(?<!\\w))${hourWord}[ -](?<minutes>${minuteWord})(?:${half}|(?<night> (?=in the (?:morning|afternoon|evening)\\b|at night\\b))|(?!\\w|-(?!ish\\b)))`,
  ),
  apart: time(`${prefix}${hour} (?<minute>[0-5]\\d)(?![\\d.,:])(?:${half}|${alone})`),
  military: time(`(?<![\\w.,:$€])(?<hour>[01]\\d|2[0-3])(?<minute>[0-5]\\d)(?= (?:hours|hrs)\\b)`),
  halved: time(`(?<![\\w.,:$€])${hour}${half}`),
  clock: time(`(?<!\\w)${hour} ?o'? ?clock\\b${half}?`),
  withPart: time(`(?<!\\w)${hour}(?= (?:in the (?:morning|afternoon|evening)|at night|tonight)\\b)`),
  range: time(
    `(?<![\\w.,:$€])${hour}(?= ?(?:-|–|to|till|until) ?(?:\\d{1,2}(?::\\d\\d)?|${numberWord}) ?(?:[ap]\\.?m\\b|o'clock))`,
  ),
  rangeHead: time(
    `(?<=\\bfrom )${hour}(?= (?:to|till|until) (?:\\d{1,2}|${numberWord})\\b)|(?<=\\bbetween )(?<hour2>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|1\\d|\\d)(?= and (?:\\d{1,2}|${numberWord})\\b)`,
  ),
  alone: time(
    `(?<=\\b(?:at|by|before|until|till|around|after|to|and) |\\b(?:at|by|before|until|till|around|after) (?:about|around|like|say|maybe|roughly) )${hour}(?:[ -]?ish)?${alone}`,
  ),
  named: time(
    `(?<!\\w)(?:(?<named>noon|midday|midnight)\\b|(?<=\\b(?:at|by|before|until|around|about|tomorrow|\\w+day) )(?<lunch>lunch ?time)\\b)`,
  ),
  endOfDay: time(
    `\\b(?:the )?end of (?:the |my )?(?:(?:work(?:ing)? |business |school )?day|play|business)\\b|\\b(?:eod|cob|cop)\\b|\\bclose of (?:business|play)\\b`,
  ),
  tonight: time(`\\b(?:later )?tonight\\b`),
  part: time(
    `(?:(?<=\\b(?:${days}|(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)) )|(?<=\\b(?:every|each|the next|that) )|\\b(?<this>this |later this )|\\b(?:in|by|before|until|during) the (?:early |late )?|\\b(?:by|in|at) (?=night\\b)|(?<=\\b\\d(?:st|nd|rd|th)? )in the |\\b(?:early |late )?(?<=\\b(?:early|late) )|\\b(?:on )?the (?=[a-z]+ (?:of|on) (?:the \\d|\\w+day\\b)))(?<part>morning|afternoon|evening|night)(?! (?:shift|person|owl|school|class|coffee|paper|sickness|sky|club))\\b`,
  ),
} as const;
type Kind = keyof typeof patterns;

/** A fast pattern for each kind, which every match contains. It is tested first to save time. */
const hints: Readonly<Record<Kind, RegExp>> = {
  halfPast: /half/i,
  half: /half/i,
  quarter: /quarter/i,
  minutes: / (?:past|after|to|till|before) (?:\d|one|t|f|s|e|n|mid)/i,
  digits: /\d[:.]\d/,
  spoken: /(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)[ -]/i,
  apart: /\d \d/,
  military: /\d{4} h/i,
  halved: /(?:\d|[a-z]) ?[ap]\.?m/i,
  clock: /clock/i,
  withPart: / (?:in the|at night|tonight)/i,
  range: /(?:-|–|\b(?:to|till|until) ?\d)/i,
  rangeHead: /\b(?:from|between)\b/i,
  alone: /\b(?:at|by|before|until|till|around|after|to|and)\b/i,
  named: /noon|mid|lunch/i,
  endOfDay: /end of|eod|co[bp]|close of/i,
  tonight: /tonight/i,
  part: /morning|afternoon|evening|night/i,
};
const hint =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midday|midnight|lunch|morning|afternoon|evening|night|tonight|eod|co[bp]|end of|close of)/i;

/** Kinds of matches that may end a range. */
const ranged = new Set<Kind>(['alone']);

interface Raw {
  readonly kind: Kind;
  readonly index: number;
  readonly end: number;
  readonly groups: Readonly<Record<string, string | undefined>>;
}

const namedMinutes = { noon: 720, midday: 720, midnight: 0 } as const;

/** Returns an hour in minutes from midnight, given "a.m." or "p.m."; null for an hour that no clock shows. */
const minutesOf = (
  word: string,
  minute: number,
  halfOfDay: string | undefined,
): { minutes: number; sure: boolean } | null => {
  const value = numberOf(word);
  if (!Number.isFinite(value) || value > 24) return null;
  if (halfOfDay === undefined)
    return { minutes: (value % 24) * 60 + minute, sure: value > 12 || value === 0 || /^0\d/.test(word) };
  if (value > 12 || value === 0) return null;
  const afternoon = /^p/i.test(halfOfDay) ? 12 : 0;
  return { minutes: ((value % 12) + afternoon) * 60 + minute, sure: true };
};

const minuteOf = (words: string): number => {
  const zero = /^(?:oh|o|zero) /i;
  return numberOf(words.replace(zero, ''));
};

const read = ({ kind, index, end, groups }: Raw): ClockTime | null => {
  const made = (minutes: number | null, sure: boolean, more: Partial<ClockTime> = {}): ClockTime => ({
    index,
    end,
    minutes,
    sure,
    part: null,
    today: false,
    until: null,
    ...more,
  });
  if (kind === 'endOfDay') return made(17 * 60, true);
  if (kind === 'tonight') return made(null, false, { part: 'night', today: true });
  if (kind === 'part')
    return made(null, false, {
      part: groups.part!.toLowerCase() as PartOfDay,
      today: groups.this !== undefined,
    });
  const name = (groups.lunch === undefined ? groups.named?.toLowerCase() : 'noon') as
    | keyof typeof namedMinutes
    | undefined;
  const base =
    name === undefined
      ? minutesOf(groups.hour ?? groups.hour2 ?? '', 0, groups.half)
      : { minutes: namedMinutes[name], sure: true };
  if (base === null) return null;
  const shifted = (by: number): ClockTime => made((base.minutes + by + 1440) % 1440, base.sure);
  const sign = /^(?:past|after)$/i.test(groups.side ?? '') ? 1 : -1;
  if (kind === 'halfPast' || kind === 'half') return shifted(30);
  if (kind === 'quarter') return shifted(sign * 15);
  if (kind === 'minutes') return shifted(sign * numberOf(groups.count!));
  if (groups.minute !== undefined) return shifted(Number(groups.minute));
  if (groups.minutes !== undefined) return shifted(minuteOf(groups.minutes));
  return made(base.minutes, base.sure);
};

/** Whether a match means a time in its context. */
const fits = ({ kind, groups, index, end }: Raw, text: string): boolean => {
  if (kind === 'spoken')
    return groups.sure !== undefined || groups.half !== undefined || groups.night !== undefined;
  if (kind === 'minutes') {
    const count = numberOf(groups.count!);
    if (!(count > 0 && count < 60)) return false;
    if (groups.unit !== undefined) return true;
    // "Ten to five" is a range of hours, unless a word such as "at" precedes it.
    return (
      (groups.sure !== undefined && !/\b(?:from|between) $/i.test(text.slice(0, index))) ||
      count === 20 ||
      count === 25
    );
  }
  if (ranged.has(kind)) {
    const lead = text.slice(Math.max(0, index - 24), index);
    // "From five to six" and "between five and six" are ranges. Other words before "to" and "and" are not hours.
    if (/\b(?:to|and) $/i.test(lead))
      return /\b(?:from|between|at) (?:\w+|\d{1,2}(?::\d\d)?)(?: ?[ap]\.?m\.?)? (?:to|and) $/i.test(lead);
    return !/^ (?:to|by|and) (?:the )?(?:other|one)\b/i.test(text.slice(end));
  }
  return true;
};

const joint = /^ ?(?:-|–|to|till|until|and) ?$/i;

/** Joins the two times of a range into one time with an end. "a.m." or "p.m." at the end also applies to the beginning. */
const withRanges = (times: readonly ClockTime[], text: string): ClockTime[] => {
  const joined: ClockTime[] = [];
  for (const next of times) {
    const last = joined.at(-1);
    const between = last ? text.slice(last.end, next.index) : '';
    const range =
      last !== undefined &&
      last.minutes !== null &&
      next.minutes !== null &&
      last.until === null &&
      joint.test(between) &&
      (!/and/i.test(between) || /\b(?:between|from) $/i.test(text.slice(0, last.index)));
    if (!range) {
      joined.push(next);
      continue;
    }
    let { minutes, sure } = last as { minutes: number; sure: boolean };
    if (!sure && next.sure) {
      const pm = next.minutes! >= 720;
      const later = (minutes % 720) + (pm ? 720 : 0);
      minutes = later <= next.minutes! ? later : minutes % 1440;
      sure = true;
    }
    joined[joined.length - 1] = { ...last, end: next.end, minutes, sure, until: next.minutes };
  }
  return joined;
};

/** Finds clock times and parts of the day in an English text, in order. If matches overlap, the longest one applies. */
export const clockTimesIn = (text: string): ClockTime[] => {
  if (!hint.test(text)) return [];
  const found: Raw[] = [];
  for (const kind of Object.keys(patterns) as Kind[]) {
    if (!hints[kind].test(text)) continue;
    for (const match of text.matchAll(patterns[kind])) {
      const raw = {
        kind,
        index: match.index,
        end: match.index + match[0].length,
        groups: match.groups ?? {},
      };
      if (fits(raw, text)) found.push(raw);
    }
  }
  found.sort((left, right) => left.index - right.index || right.end - left.end);
  const kept: ClockTime[] = [];
  for (const raw of found) {
    if (raw.index < (kept.at(-1)?.end ?? 0)) continue;
    const made = read(raw);
    if (made) kept.push(made);
  }
  return withRanges(kept, text);
};

/** The time of a reminder for each part of the day, in minutes from midnight. */
export const startOf: Readonly<Record<PartOfDay, number>> = {
  morning: 360,
  afternoon: 900,
  evening: 1200,
  night: 1320,
};

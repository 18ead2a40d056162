import { createRequire } from 'node:module';
import { ordinal, rankOf } from './numbers.js';
import { day, monthsLater } from './wall-clock.js';

/** A day that a text names with the characters from `index` to `end`. */
export interface NamedDay {
  readonly index: number;
  readonly end: number;
  /** Midnight at the beginning of the day, as ms in UTC. */
  readonly date: number;
  /** Whether only the month or year was named. */
  readonly vague: boolean;
  /** Whether the day describes a thing ("the Friday meeting", "Monday's paper") instead of giving a time. */
  readonly describes: boolean;
}

const require = createRequire(import.meta.url);
let chrono: typeof import('chrono-node/en') | undefined;

/** Returns the date parser. It is loaded with the first text, because it has as many modules as the rest of this folder. */
const parser = () => {
  chrono ??= require('chrono-node/en') as typeof import('chrono-node/en');
  return chrono.casual;
};

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const weekday = `(?:${weekdays.join('|')})`;
const month =
  '(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)';
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const leads = '(?:on|by|before|until|till|from|since|after|for|starting|of)';

/** Returns the next weekday with this name after `today`. */
const nextWeekday = (name: string, today: number): number => {
  const ahead = (weekdays.indexOf(name.toLowerCase()) - new Date(today).getUTCDay() + 7) % 7;
  return today + (ahead === 0 ? 7 : ahead) * day;
};
/** Returns the Monday of a day's week. */
const mondayOf = (date: number): number => date - ((new Date(date).getUTCDay() + 6) % 7) * day;
const inMonth = (first: number, rank: number): number | null => {
  const from = new Date(first);
  const date = Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), rank);
  return new Date(date).getUTCMonth() === from.getUTCMonth() ? date : null;
};
/** Returns the first, second, third, fourth or last weekday of a month. @param first midnight of the first day of the month. */
const weekdayOf = (name: string, nth: string, first: number): number => {
  const from = nextWeekday(name, first - day);
  const rank = ['first', 'second', 'third', 'fourth'].indexOf(nth.toLowerCase());
  if (rank >= 0) return from + rank * 7 * day;
  return inMonth(first, new Date(from).getUTCDate() + 28) ?? from + 21 * day;
};
const firstOfMonth = (date: number): number => {
  const at = new Date(date);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1);
};
/** Returns the next day with this number in its month. Short months lack some numbers. */
const nextRank = (rank: number, today: number): number => {
  for (let ahead = 0; ahead < 12; ahead++) {
    const date = inMonth(monthsLater(firstOfMonth(today), ahead), rank);
    if (date !== null && date > today) return date;
  }
  return today;
};
const yearly = (of: number, dateOf: number, today: number): number => {
  const year = new Date(today).getUTCFullYear();
  const date = Date.UTC(year, of, dateOf);
  return date < today ? Date.UTC(year + 1, of, dateOf) : date;
};

const holidays: readonly (readonly [name: string, month: number, day: number])[] = [
  ['christmas eve|xmas eve', 11, 24],
  ['boxing day', 11, 26],
  ['christmas(?: day)?|xmas', 11, 25],
  ["new year'?s eve", 11, 31],
  ["new year(?:'?s)?(?: day)?", 0, 1],
  ['halloween', 9, 31],
  ["valentine'?s day", 1, 14],
];

/** Pattern of text that may follow "the first" if it means a day. In "the first floor" it does not mean a day. */
const behind = `(?=[.,;:!?)"…—–-]|$| (?:at|in the|by|around|to|and|or|about|with|because|so|but|before|if|when|for|not|no|instead|from|until|sharp|i|we|he|she|they|the|please|actually|sorry|■+|next week|morning|afternoon|evening|night)(?!\\w))`;

interface Rule {
  /** A fast pattern that every match contains. It is tested first to save time. */
  readonly hint: RegExp;
  readonly said: RegExp;
  /** Returns the day; null if the match does not mean a day. */
  readonly date: (match: RegExpMatchArray, today: number) => number | null;
}
const rule = (hint: RegExp, said: string, date: Rule['date']): Rule => ({
  hint,
  said: new RegExp(said, 'gi'),
  date,
});
const weeksOf = (word: string | undefined): number => (/^two/i.test(word ?? '') ? 2 : 1);

/** Rules for days that the library does not know or interprets differently. The first rule with a match applies. */
const rules: readonly Rule[] = [
  rule(
    /week/i,
    `\\b(?:(?<weeks>a|one|two) weeks? (?:on|from|after) (?:this |next )?)(?<day>${weekday}|today|tomorrow)\\b|\\b(?<day2>${weekday}|today|tomorrow) week(?!\\w| (?:day|end))|\\b(?<weeks3>a|one|two) weeks? (?<day3>today|tomorrow)\\b`,
    ({ groups }, today) => {
      const name = (groups!.day ?? groups!.day2 ?? groups!.day3)!.toLowerCase();
      const from = name === 'today' ? today : name === 'tomorrow' ? today + day : nextWeekday(name, today);
      return from + weeksOf(groups!.weeks ?? groups!.weeks3) * 7 * day;
    },
  ),
  rule(/after next/i, `\\b(?:the )?(?<day>${weekday}) after next\\b`, ({ groups }, today) => {
    return nextWeekday(groups!.day!, today) + 7 * day;
  }),
  rule(/after next/i, '\\b(?:the )?week after next\\b', (_match, today) => today + 14 * day),
  rule(
    /fortnight/i,
    '\\bin a fortnight\\b|\\ba fortnight from (?:now|today)\\b',
    (_match, today) => today + 14 * day,
  ),
  rule(
    /next week/i,
    `\\bnext week (?:on )?(?<day>${weekday})\\b|\\b(?<day2>${weekday})(?:,? (?:of )?next week)\\b`,
    ({ groups }, today) => {
      const name = (groups!.day ?? groups!.day2)!.toLowerCase();
      return mondayOf(today) + (7 + ((weekdays.indexOf(name) + 6) % 7)) * day;
    },
  ),
  rule(/end of/i, `\\b(?:the )?end of (?:the|this|next) week\\b`, ([words], today) => {
    const friday = mondayOf(today) + 4 * day;
    if (/next/i.test(words!)) return friday + 7 * day;
    return friday < today ? friday + 7 * day : friday;
  }),
  rule(
    /month/i,
    `\\b(?:the )?(?:end|last day) of (?:the|this|next) month\\b`,
    ([words], today) => monthsLater(firstOfMonth(today), /next/i.test(words!) ? 2 : 1) - day,
  ),
  rule(/last day/i, `\\bthe (?:very )?last day of (?<month>${month})\\b`, ({ groups }, today) => {
    const of = months.indexOf(groups!.month!.slice(0, 3).toLowerCase());
    return monthsLater(yearly(of, 1, firstOfMonth(today)), 1) - day;
  }),
  rule(/year/i, `\\b(?:the )?(?:end|last day) of (?:the|this|next) year\\b`, ([words], today) =>
    Date.UTC(new Date(today).getUTCFullYear() + (/next/i.test(words!) ? 1 : 0), 11, 31),
  ),
  rule(
    /month/i,
    `\\b(?:the )?(?<rank>${ordinal}) (?:day )?of (?<which>the|this|next) month\\b`,
    ({ groups }, today) => {
      const first = firstOfMonth(today);
      if (/next/i.test(groups!.which!)) return inMonth(monthsLater(first, 1), rankOf(groups!.rank!));
      if (/this/i.test(groups!.which!)) return inMonth(first, rankOf(groups!.rank!));
      return nextRank(rankOf(groups!.rank!), today);
    },
  ),
  rule(
    /the .*(?:st|nd|rd|th|first|second|third)\b/i,
    `(?:\\b${weekday},? )(?:the )(?<rank>${ordinal})${behind}|(?<=\\b${leads} )(?:the )(?<rank2>${ordinal})${behind}|\\bthe (?<rank3>(?:[12]?\\d|3[01])(?:st|nd|rd|th))${behind}`,
    ({ groups }, today) => nextRank(rankOf((groups!.rank ?? groups!.rank2 ?? groups!.rank3)!), today),
  ),
  rule(
    /(?:first|second|third|fourth|last) \w+day/i,
    `\\b(?:the )?(?<nth>first|second|third|fourth|last) (?<day>${weekday}) (?:of|in) (?:(?<which>the|this|next) month|(?<month>${month}))\\b`,
    ({ groups }, today) => {
      const { nth, day: name, which, month: called } = groups as Record<string, string | undefined>;
      const first = called
        ? yearly(months.indexOf(called.slice(0, 3).toLowerCase()), 1, firstOfMonth(today))
        : monthsLater(firstOfMonth(today), /next/i.test(which!) ? 1 : 0);
      const date = weekdayOf(name!, nth!, first);
      // If "the first Monday of the month" has passed, the next month's is meant.
      return date < today && /^the$/i.test(which ?? '')
        ? weekdayOf(name!, nth!, monthsLater(first, 1))
        : date;
    },
  ),
  ...holidays.map(([name, of, on]) =>
    rule(
      /christmas|xmas|boxing|new year|halloween|valentine/i,
      `(?<=\\b(?:on|by|before|until|till|at|after|for) )(?:${name})(?! (?:party|dinner|present|card|tree|market|shopping|lunch|show))(?![\\w'])`,
      (_match, today) => yearly(of, on, today),
    ),
  ),
];

const title =
  /\b(?:mr|mrs|ms|miss|dr|prof|sir|aunt|auntie|uncle|cousin|sister|brother|grandma|captain|saint)\.? $/i;
const monthLead =
  /\b(?:in|by|before|until|till|since|during|next|this|of|mid|middle of|early|late|end of) (?:early |late |mid |the )?$/i;
const weekdayLead =
  /\b(?:on|by|before|until|till|next|this|coming|from|after|since|every) (?:next |this |coming |the )?$/i;

/** Matches verbs whose object may be a person or an animal: "give Friday his drops". */
const givenTo = /\b(?:give|tell|ask|show|teach|feed|walk|bathe|groom|bring|take|hand|lend|remind) $/i;

/** Matches an explanation after a name: "Friday, my parrot,". */
const apposition = /^, (?:my|our|his|her|their|the|a|an) (?:[\p{L}'’-]+ ){0,2}[\p{L}'’-]+,/iu;
const ofKin =
  /^, (?:my|our|his|her|their|the|a) (?:[\p{L}'’-]+ ){0,2}(?:parrot|bird|budgie|cat|kitten|dog|puppy|hamster|rabbit|horse|pony|tortoise|turtle|goldfish|fish|snake|lizard|ferret|goat|hen|duck|cow|donkey|sister|brother|cousin|aunt|uncle|niece|nephew|daughter|son|baby|friend|neighbou?r|boss|colleague|flatmate|roommate|housemate|wife|husband|girlfriend|boyfriend|partner|tenant|client|student|assistant|nurse|nanny|babysitter)(?:,|[.!?]?$)/iu;

/** Whether a day that the library found is the name of a person or thing. */
const isName = (text: string, index: number, words: string): boolean => {
  const lead = text.slice(Math.max(0, index - 40), index);
  const next = text.slice(index + words.length);
  if (title.test(lead)) return true;
  // Months that are also names, and words with other meanings ("may", "march"), need a preposition or a number.
  if (new RegExp(`^${month}$`, 'i').test(words)) return !monthLead.test(lead);
  if (/^(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)$/i.test(words))
    return !weekdayLead.test(lead) && !/^\p{Lu}/u.test(words);
  if (new RegExp(`^${weekday}$`, 'i').test(words)) {
    if (/\b(?:good|black|ash|cyber|super|bloody) $/i.test(lead)) return true;
    if (givenTo.test(lead) && /^ (?:the|his|her|their|its|to|some|that)\b/i.test(next)) return true;
    if (!weekdayLead.test(lead) && (givenTo.test(lead) ? apposition : ofKin).test(next)) return true;
    if (/\b(?:named|(?:is|was|him|her|it|cat|dog) called) $/i.test(lead)) return true;
    if (/^ the (?:cat|dog|kitten|puppy|hamster|rabbit|parrot|horse|pony|tortoise|goldfish)\b/i.test(next))
      return true;
    // A weekday before a capital is part of a name: "Sunday Okafor", "the Sunday Times". A day in "friday ann calls" has no capitals.
    if (
      /^ (?!I\b|(?:January|February|March|April|May|June|July|August|September|October|November|December)\b)\p{Lu}\p{Ll}/u.test(
        next,
      ) &&
      !weekdayLead.test(lead)
    )
      return true;
    return /^(?:\.com|'s (?:restaurant|bar|pub|cafe)| (?:times|school|papers?|roast)\b)/i.test(next);
  }
  return false;
};

/** Matches a weekday or month without a number next to it. */
const alone = new RegExp(
  `(?<![\\w'-])(?<!\\d(?:st|nd|rd|th)?,? (?:of )?|${ordinal} (?:of )?)(?:${month}|${weekday}|(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun))(?![\\w-]|,? (?:the )?(?:\\d|${ordinal}))`,
  'gi',
);

const describes =
  /\b(?:the|my|our|your|his|her|their|a|an|all) ■ (?!at\b|in\b|on\b|by\b|before|after|morning|afternoon|evening|night|and\b|or\b|about|■|to\b|with|because|if\b|so\b|but\b|when|for\b)[a-z]|■'s [a-z]/i;

/** Matches names in days. Every day contains at least one. They are tested first to save time. */
const anyDay = new RegExp(
  `\\d|day\\b|\\b(?:${month}|mon|tues?|wed|thur?s?|fri|sat|sun|tomorrow|tmrw?|tonight|week|weekend|fortnight|month|year|christmas|xmas|halloween|\\w+(?:st|nd|rd|th))\\b|week`,
  'i',
);

/** Replaces a known part of a text by characters that no date contains. */
export const masked = (text: string, from: number, to: number): string =>
  `${text.slice(0, from)}${'■'.repeat(to - from)}${text.slice(to)}`;

/**
 * Finds the days in an English text, in order, including past days.
 * @param text the text, with its times and durations masked.
 * @param today midnight of the day on which the text was said, as ms in UTC.
 */
export const daysIn = (text: string, today: number): NamedDay[] => {
  if (!anyDay.test(text)) return [];
  const found: NamedDay[] = [];
  let rest = text;
  for (const { hint, said, date } of rules) {
    if (!hint.test(rest)) continue;
    for (const match of rest.matchAll(said)) {
      const on = date(match, today);
      if (on === null) continue;
      found.push({
        index: match.index,
        end: match.index + match[0].length,
        date: on,
        vague: false,
        describes: false,
      });
      rest = masked(rest, match.index, match.index + match[0].length);
    }
  }
  for (const match of text.matchAll(alone))
    if (isName(text, match.index, match[0])) rest = masked(rest, match.index, match.index + match[0].length);
  // Masks parts of the day, because the library would read "the poetry evening on Friday" as today.
  rest = rest.replace(/\b(?:morning|afternoon|evening|night)\b/gi, (words) => '■'.repeat(words.length));
  // Removes the article, because the library reads "June the fifth" only without it.
  rest = rest.replace(new RegExp(`\\b(${month}) the (?=${ordinal}\\b)`, 'gi'), '$1     ');
  const noon = new Date(today + day / 2);
  for (const result of parser().parse(rest, { instant: noon, timezone: 0 }, { forwardDate: true })) {
    const { start } = result;
    // A preposition does not belong to the date.
    const words = result.text.replace(/^(?:on|in|at|by) (?:the )?/i, '');
    const index = result.index + result.text.length - words.length;
    const named = (part: 'day' | 'weekday' | 'month' | 'year'): boolean => start.isCertain(part);
    if (start.isCertain('hour') || /^(?:last|past|previous)\b/i.test(words)) {
      if (!/^(?:last|past|previous)\b/i.test(words)) continue;
      found.push({ index, end: index + words.length, date: today - day, vague: false, describes: false });
      continue;
    }
    if (!named('day') && !named('weekday') && !named('month') && !named('year')) continue;
    // "The day off" and "this week" do not name a day.
    if (/^(?!next\b)\w+ (?:second|minute|hour|day|week|month|year|quarter)s?$/i.test(words)) continue;
    if (
      /^[\d.,/-]+$/.test(words) &&
      !/^(?:\d{4}-\d\d?-\d\d?|\d\d?[/]\d\d?(?:[/]\d{2,4})?|\d\d?\.\d\d?\.\d{2,4})$/.test(words)
    )
      continue;
    if (
      /^\d\d?\/\d\d?$/.test(words) &&
      /^(?:-| ?(?:inch|cup|of|tea|table|mile|pound|kilo|lit|full|size|scale|hour|way)|["”])/i.test(
        text.slice(index + words.length),
      )
    )
      continue;
    let date = Math.floor(start.date().getTime() / day) * day;
    // If the day's name is the present weekday, next week is meant: speakers call the present day "today".
    if (named('weekday') && !named('day') && date <= today) date += 7 * day;
    found.push({
      index,
      end: index + words.length,
      date,
      vague: !named('day') && !named('weekday'),
      describes: describes.test(
        `${text.slice(Math.max(0, index - 12), index)}■${text.slice(index + words.length, index + words.length + 20)}`,
      ),
    });
  }
  return found.sort((left, right) => left.index - right.index);
};

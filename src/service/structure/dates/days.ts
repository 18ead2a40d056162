import { createRequire } from 'node:module';
import { ordinal, rankOf } from './numbers.js';
import { masked, type Span, spanOf } from './spans.js';
import { day, monthsLater } from './wall-clock.js';

/** A day that a text names. */
export interface NamedDay extends Span {
  /** Midnight at the beginning of the day, as ms in UTC. */
  readonly date: number;
  /** Whether the text named only a month or a year. */
  readonly vague: boolean;
  /** Whether the day describes a thing ("the Friday meeting", "Monday's paper") instead of giving a time. */
  readonly describes: boolean;
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const weekday = `(?:${weekdays.join('|')})`;
const month =
  '(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)';
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const leads = '(?:on|by|before|until|till|from|since|after|for|starting|of)';

/** Returns the next weekday with this name after `today`. @param name a weekday, "today" or "tomorrow". */
const dayNamed = (name: string, today: number): number => {
  if (/^to/i.test(name)) return /today/i.test(name) ? today : today + day;
  const ahead = (weekdays.indexOf(name.toLowerCase()) - new Date(today).getUTCDay() + 7) % 7;
  return today + (ahead || 7) * day;
};
/** Returns the Monday of a day's week. */
const mondayOf = (date: number): number => date - ((new Date(date).getUTCDay() + 6) % 7) * day;
/**
 * Returns the first day of a month.
 * @param ahead number of months after the month of `date`; 0 for that month itself.
 */
const firstOfMonth = (date: number, ahead = 0): number =>
  monthsLater(date - (new Date(date).getUTCDate() - 1) * day, ahead);
/** Returns the number of months from the month of `today` to the next month with this name. */
const monthsUntil = (name: string, today: number): number =>
  (months.indexOf(name.slice(0, 3).toLowerCase()) - new Date(today).getUTCMonth() + 12) % 12;
/** Returns a day of a month by its number; null if the month has no such day. @param first midnight of the first day of the month. */
const inMonth = (first: number, rank: number): number | null => {
  const date = first + (rank - 1) * day;
  return rank > 0 && date < firstOfMonth(first, 1) ? date : null;
};
/** Returns the first, second, third, fourth or last weekday of a month. @param first midnight of the first day of the month. */
const weekdayOf = (name: string, nth: string, first: number): number => {
  const rank = ['first', 'second', 'third', 'fourth'].indexOf(nth.toLowerCase());
  const next = firstOfMonth(first, 1);
  return rank < 0 ? dayNamed(name, next - 8 * day) : dayNamed(name, first - day) + rank * 7 * day;
};
/** Returns the next day after `today` that has this number in its month. Skips months that are too short. */
const nextRank = (rank: number, today: number): number | null =>
  [0, 1, 2].map((ahead) => inMonth(firstOfMonth(today, ahead), rank)).find((date) => (date ?? 0) > today) ??
  null;

/**
 * Returns the next date with this month and day, which may be `today`.
 * @param of number of the month, from 0.
 */
const nextYearly = (of: number, on: number, today: number): number => {
  const date = Date.UTC(new Date(today).getUTCFullYear(), of, on);
  return date < today ? monthsLater(date, 12) : date;
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

type Groups = Readonly<Record<string, string | undefined>>;

/**
 * A rule for words about days that chrono-node does not know, or interprets differently from what speakers mean.
 * `dateOf` returns the day of a match; null if the match does not mean a day.
 */
interface Rule {
  readonly said: RegExp;
  readonly dateOf: (groups: Groups, today: number) => number | null;
}
const rule = (said: string, dateOf: Rule['dateOf']): Rule => ({ said: new RegExp(said, 'gi'), dateOf });

/** Rules for days. The first rule with a match applies. */
const rules: readonly Rule[] = [
  rule(
    `\\b(?<weeks>a|one|two) weeks? (?:(?:on|from|after) (?:this |next )?|(?=to))(?<day>${weekday}|today|tomorrow)\\b|\\b(?<day2>${weekday}|today|tomorrow) week(?!\\w| (?:day|end))|\\b(?:the )?(?<day3>${weekday}) after next\\b`,
    ({ weeks = '', day: name, day2, day3 }, today) =>
      dayNamed((name ?? day2 ?? day3)!, today) + (/^two/i.test(weeks) ? 14 : 7) * day,
  ),
  rule('\\b(?:the )?week after next\\b', (_groups, today) => today + 14 * day),
  rule(
    `\\bnext week (?:on )?(?<day>${weekday})\\b|\\b(?<day2>${weekday}),? (?:of )?next week\\b`,
    ({ day: name, day2 }, today) => dayNamed((name ?? day2)!, mondayOf(today) + 6 * day),
  ),
  // Without this rule, chrono-node would make two errors. It would end the week on Saturday. In "by the end of the
  // month before I leave", it would read "the month before" as one phrase.
  rule(
    `\\b(?:the (?:very )?)?(?:end|last day) of (?:(?:the|this|(?<next>next)) (?<unit>week|month|year)|(?<called>${month}))\\b(?! \\d{4}| (?:this|next|last) year)`,
    ({ next, unit = '', called }, today) => {
      if (called !== undefined) return firstOfMonth(today, monthsUntil(called, today) + 1) - day;
      const ahead = next === undefined ? 0 : 1;
      if (/month/i.test(unit)) return firstOfMonth(today, ahead + 1) - day;
      if (/year/i.test(unit)) return Date.UTC(new Date(today).getUTCFullYear() + ahead, 11, 31);
      const friday = mondayOf(today) + (4 + 7 * ahead) * day;
      return friday < today ? friday + 7 * day : friday;
    },
  ),
  rule(
    `(?:\\b${weekday},? )(?:the )(?<rank>${ordinal})${behind}|(?<=\\b${leads} )(?:the )(?<rank2>${ordinal})${behind}|\\bthe (?<rank3>(?:[12]?\\d|3[01])(?:st|nd|rd|th))${behind}|\\b(?:the )?(?<rank4>${ordinal}) (?:day )?of (?<which>the|this|next) month\\b`,
    ({ rank, rank2, rank3, rank4, which = 'the' }, today) => {
      const number = rankOf((rank ?? rank2 ?? rank3 ?? rank4)!);
      if (/the/i.test(which)) return nextRank(number, today);
      return inMonth(firstOfMonth(today, /next/i.test(which) ? 1 : 0), number);
    },
  ),
  rule(
    `\\b(?:the )?(?<nth>first|second|third|fourth|last) (?<day>${weekday}) (?:of|in) (?:(?<which>the|this|next) month|(?<called>${month}))\\b`,
    ({ nth, day: name, which = '', called }, today) => {
      const ahead = called ? monthsUntil(called, today) : Number(/next/i.test(which));
      const date = weekdayOf(name!, nth!, firstOfMonth(today, ahead));
      // If "the first Monday of the month" has passed, the speaker means the first Monday of the next month.
      return date < today && /^the$/i.test(which) ? weekdayOf(name!, nth!, firstOfMonth(today, 1)) : date;
    },
  ),
  rule(
    `(?<=\\b(?:on|by|before|until|till|at|after|for) )(?<holiday>${holidays.map(([name]) => name).join('|')})(?! (?:party|dinner|present|card|tree|market|shopping|lunch|show))(?![\\w'])`,
    ({ holiday }, today) => {
      const [, of, on] = holidays.find(([name]) => new RegExp(`^(?:${name})$`, 'i').test(holiday!))!;
      return nextYearly(of, on, today);
    },
  ),
];

const require = createRequire(import.meta.url);
let chrono: typeof import('chrono-node/en') | undefined;

/** Returns chrono-node's parser. Loads its many modules only when the first text arrives. */
const parser = () => {
  chrono ??= require('chrono-node/en') as typeof import('chrono-node/en');
  return chrono.casual;
};

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

/** Matches words before a weekday that is part of a name: "Good Friday", "a cat called Friday". */
const beforeName = /\b(?:good|black|ash|cyber|super|bloody|named|(?:is|was|him|her|it|cat|dog) called) $/i;
/** Matches words after a weekday that is part of a name: "the Sunday roast". */
const afterName =
  /^(?: the (?:cat|dog|kitten|puppy|hamster|rabbit|parrot|horse|pony|tortoise|goldfish)\b|\.com|'s (?:restaurant|bar|pub|cafe)| (?:times|school|papers?|roast)\b)/i;
/**
 * Matches a capitalised word after a weekday. The weekday is then part of a name: "Sunday Okafor", "the Sunday Times".
 * "friday ann calls" does not match.
 */
const surname =
  /^ (?!I\b|(?:January|February|March|April|May|June|July|August|September|October|November|December)\b)\p{Lu}\p{Ll}/u;

/**
 * Whether words that chrono-node read as a day are part of the name of a person or thing, such as "April" or "Sunday
 * Times".
 */
const isName = (text: string, index: number, words: string): boolean => {
  const lead = text.slice(Math.max(0, index - 40), index);
  const next = text.slice(index + words.length);
  if (title.test(lead)) return true;
  // Months that are also names, and words with other meanings ("may", "march"), need a preposition or a number.
  if (new RegExp(`^${month}$`, 'i').test(words)) return !monthLead.test(lead);
  const dated = weekdayLead.test(lead);
  if (!/day$/i.test(words)) return !dated && !/^\p{Lu}/u.test(words);
  if (beforeName.test(lead) || afterName.test(next)) return true;
  const given = givenTo.test(lead);
  if (given && /^ (?:the|his|her|their|its|to|some|that)\b/i.test(next)) return true;
  return !dated && ((given ? apposition : ofKin).test(next) || surname.test(next));
};

/** Matches a weekday or month without a number next to it. */
const alone = new RegExp(
  `(?<![\\w'-])(?<!\\d(?:st|nd|rd|th)?,? (?:of )?|${ordinal} (?:of )?)(?:${month}|${weekday}|(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun))(?![\\w-]|,? (?:the )?(?:\\d|${ordinal}))`,
  'gi',
);

const describes =
  /\b(?:the|my|our|your|his|her|their|a|an|all) ■ (?!at\b|in\b|on\b|by\b|before|after|morning|afternoon|evening|night|and\b|or\b|about|■|to\b|with|because|if\b|so\b|but\b|when|for\b)[a-z]|■'s [a-z]/i;

/** Pattern that matches every name of a day. It is tested first, because it is fast. */
const anyDay = new RegExp(
  `\\d|day\\b|\\b(?:${month}|mon|tues?|wed|thur?s?|fri|sat|sun|tomorrow|tmrw?|tonight|week|weekend|fortnight|month|year|christmas|xmas|halloween|\\w+(?:st|nd|rd|th))\\b|week`,
  'i',
);

/**
 * Whether words that chrono-node reads as a day mean something else: "the day off", "this week", "1.5", "1/2
 * cup".
 */
const isNoDay = (words: string, next: string): boolean => {
  if (/^(?!next\b)\w+ (?:second|minute|hour|day|week|month|year|quarter)s?$/i.test(words)) return true;
  if (!/^[\d.,/-]+$/.test(words)) return false;
  if (!/^(?:\d{4}-\d\d?-\d\d?|\d\d?[/]\d\d?(?:[/]\d{2,4})?|\d\d?\.\d\d?\.\d{2,4})$/.test(words)) return true;
  const amount = /^(?:-| ?(?:inch|cup|of|tea|table|mile|pound|kilo|lit|full|size|scale|hour|way)|["”])/i.test(
    next,
  );
  return amount && /^\d\d?\/\d\d?$/.test(words);
};

/**
 * Finds the days in an English text, in order, including past days.
 * @param text the text, with its times and durations masked.
 * @param today midnight of the day on which the text was said, as ms in UTC.
 */
export const daysIn = (text: string, today: number): NamedDay[] => {
  if (!anyDay.test(text)) return [];
  // Removes the article, because chrono-node reads "June the fifth" only without it.
  let rest = text.replace(new RegExp(`\\b(${month}) the (?=${ordinal}\\b)`, 'gi'), '$1     ');
  const found: NamedDay[] = [];
  for (const { said, dateOf } of rules) {
    for (const match of rest.matchAll(said)) {
      const date = dateOf(match.groups ?? {}, today);
      if (date === null) continue;
      found.push({ ...spanOf(match), date, vague: false, describes: false });
      rest = masked(rest, [spanOf(match)]);
    }
  }
  const names = [...text.matchAll(alone)].filter(({ index, 0: words }) => isName(text, index, words));
  // Masks parts of the day, because chrono-node would read "the poetry evening on Friday" as today.
  rest = masked(rest, [...names, ...text.matchAll(/\b(?:morning|afternoon|evening|night)\b/gi)].map(spanOf));
  const noon = { instant: new Date(today + day / 2), timezone: 0 };
  for (const { index: at, text: said, start } of parser().parse(rest, noon, { forwardDate: true })) {
    // A preposition does not belong to the date.
    const words = said.replace(/^(?:on|in|at|by) (?:the )?/i, '');
    const end = at + said.length;
    const index = end - words.length;
    if (/^(?:last|past|previous)\b/i.test(words)) {
      found.push({ index, end, date: today - day, vague: false, describes: false });
      continue;
    }
    const isDay = start.isCertain('day') || start.isCertain('weekday');
    const isDate = isDay || start.isCertain('month') || start.isCertain('year');
    if (!isDate || start.isCertain('hour') || isNoDay(words, text.slice(end))) continue;
    let date = Math.floor(start.date().getTime() / day) * day;
    // If the day's name is the present weekday, next week is meant: speakers call the present day "today".
    if (start.isCertain('weekday') && !start.isCertain('day') && date <= today) date += 7 * day;
    // To choose the year, chrono-node compares with the clock of the process's time zone. West of UTC it reads
    // today's date as a date of next year.
    if (!start.isCertain('year') && date === monthsLater(today, 12)) date = today;
    const around = `${text.slice(Math.max(0, index - 12), index)}■${text.slice(end, end + 20)}`;
    found.push({ index, end, date, vague: !isDay, describes: describes.test(around) });
  }
  return found.sort((left, right) => left.index - right.index);
};

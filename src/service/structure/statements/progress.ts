import {
  isContentWord,
  isEnglish,
  type SaidTranscript,
  sentencesOf,
  spokenNumber,
  tokensOf,
} from '../language/index.js';
import { ownSentences } from './wearer.js';

/** A goal, with the facts by which progress of this goal is found. */
export interface MeasuredGoal {
  readonly id: string;
  readonly title: string;
  readonly unit: string | null;
}

/** A number that the user said about a goal. */
export interface StatedProgress {
  readonly goalId: string;
  /** The last stated total; null if none was stated. */
  readonly total: number | null;
  /** The sum of additions that the user stated after `total`. If `total` is null, the sum of all additions. */
  readonly added: number;
  /** The sentence that states the progress. */
  readonly sentence: string;
}

const mostSentences = 2000;

/** Spellings of one unit. A unit that is not listed matches its own name, singular or plural. */
const unitNames: readonly (readonly string[])[] = [
  ['km', 'kms', 'kilometre', 'kilometres', 'kilometer', 'kilometers', 'k'],
  ['mi', 'mile', 'miles'],
  ['m', 'metre', 'metres', 'meter', 'meters'],
  ['kg', 'kgs', 'kilo', 'kilos', 'kilogram', 'kilograms'],
  ['lb', 'lbs', 'pound', 'pounds'],
  ['h', 'hr', 'hrs', 'hour', 'hours'],
  ['min', 'mins', 'minute', 'minutes'],
  ['l', 'litre', 'litres', 'liter', 'liters'],
  ['$', 'usd', 'dollar', 'dollars', 'bucks'],
  ['€', 'eur', 'euro', 'euros'],
  ['%', 'percent'],
  ['glass', 'glasses'],
  ['person', 'people'],
];

const namesOf = (unit: string): ReadonlySet<string> => {
  const name = unit.trim().toLowerCase();
  const known = unitNames.find((names) => names.includes(name));
  return new Set(known ?? [name, `${name}s`, name.replace(/s$/, '')]);
};

/** Irregular forms of verbs, each with the base form of its verb. */
const irregular = new Map(
  Object.entries({
    ran: 'run',
    swam: 'swim',
    rode: 'ride',
    wrote: 'write',
    written: 'write',
    slept: 'sleep',
    drank: 'drink',
    drunk: 'drink',
    saved: 'save',
    lost: 'lose',
    losing: 'lose',
    weight: 'weigh',
    studied: 'study',
    made: 'make',
    sold: 'sell',
    spent: 'spend',
    did: 'do',
    done: 'do',
    met: 'meet',
    taught: 'teach',
  }),
);

/** Returns the beginning of a word that all forms of the word share. */
const stem = (word: string): string => {
  const base = irregular.get(word) ?? word;
  return base
    .replace(/(?:ing|ed|es|s|er)$/, '')
    .replace(/(.)\1$/, '$1')
    .replace(/[ey]$/, '')
    .slice(0, 6);
};

const unsaid =
  /\?|\b(?:if|not|never|didn't|don't|haven't|hasn't|won't|can't|couldn't|would|could|should|might|maybe|want|wanted|going to|gonna|plan|planning|hope|hoping|need|will|i'll|we'll|try|trying|almost|nearly|tomorrow|wish)\b/i;
/** Words in a goal's title that name a time, not a subject. */
const times = new Set(
  'day days daily week weeks weekly month months monthly year years yearly today tomorrow summer winter spring autumn'.split(
    ' ',
  ),
);
const total =
  /\b(?:in total|altogether|so far|all together|up to|down to|i weigh|now at|i'm at|i am at|reached)\b/i;
const own = /\b(?:i|i've|i'm|we|we've|my)\b/i;

const amountOf = (words: readonly string[], names: ReadonlySet<string>): number | null => {
  for (let at = 0; at < words.length; at++) {
    const money = /^([$€])(\d{1,9}(?:[.,]\d{1,6})?)$/.exec(words[at]!);
    if (money && names.has(money[1]!)) return spokenNumber([money[2]!])?.value ?? null;
    const joined = /^(\d{1,9}(?:\.\d{1,6})?)([a-z%]{1,12})$/.exec(words[at]!);
    if (joined && names.has(joined[2]!)) return Number(joined[1]);
    const number = spokenNumber(words.slice(at, at + 8));
    if (!number || number.length === 0) continue;
    const unit = words[at + number.length] ?? '';
    if (names.has(unit)) return number.value;
  }
  return null;
};

/**
 * Finds progress that the user stated as numbers with a goal's unit. The sentence must also contain a word of the
 * title, unless the title names only the unit ("I ran 5 kilometres" for "Run 100 km"). Additions in several sentences
 * about the same goal are summed.
 */
export const statedProgress = (
  transcript: SaidTranscript,
  goals: readonly MeasuredGoal[],
): readonly StatedProgress[] => {
  const measured = goals.flatMap(({ id, title, unit }) => {
    if (unit === null || unit.trim() === '') return [];
    const names = namesOf(unit);
    const topics = tokensOf(title).filter(
      (token) => isContentWord(token) && !names.has(token) && !times.has(token),
    );
    return [{ id, names, topics: new Set(topics.map(stem)) }];
  });
  const stated = new Map<string, StatedProgress>();
  if (measured.length === 0 || !isEnglish(transcript)) return [];
  const said = new Set<string>();
  for (const sentence of ownSentences(sentencesOf(transcript.segments, mostSentences))) {
    const { text } = sentence;
    if (!own.test(text) || unsaid.test(text) || said.has(text.toLowerCase())) continue;
    said.add(text.toLowerCase());
    const words = text
      .toLowerCase()
      .split(/\s/)
      .map((word) => word.replace(/[.,;:!?]{1,3}$/, ''));
    const stems = new Set(words.map(stem));
    for (const goal of measured) {
      if (goal.topics.size > 0 && ![...goal.topics].some((topic) => stems.has(topic))) continue;
      const amount = amountOf(words, goal.names);
      if (amount === null) continue;
      const before = stated.get(goal.id);
      const progress = total.test(text)
        ? { total: amount, added: 0 }
        : { total: before?.total ?? null, added: (before?.added ?? 0) + amount };
      stated.set(goal.id, { goalId: goal.id, ...progress, sentence: sentence.text });
    }
  }
  return [...stated.values()];
};

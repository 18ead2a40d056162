import type { SpokenLanguage } from './tag-language.js';
import type { TaggedWord } from './tagged.js';
import { isContentWord, isFiller, isFunctionWord, tokensOf } from './words.js';

/** A group of words that names a thing, person or topic. */
export interface Phrase {
  readonly text: string;
  /** Dictionary forms of the phrase's words. A title combines two phrases only if they have no form in common. */
  readonly stems: readonly string[];
  readonly score: number;
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));

/** Nouns and adjectives that do not name a topic. */
const empty = words(
  `thing things stuff lot lots bit time times way ways kind sort type guy guys people person one ones day days today tomorrow
  yesterday tonight morning afternoon evening night week weeks month months year years hour hours minute minutes second seconds
  moment while weekend o'clock monday tuesday wednesday thursday friday saturday sunday january february march april may june july
  august september october november december number part end start side place point case fact idea question answer reason
  something anything nothing everything someone anyone everyone anybody everybody couple few half rest whole word words god hell
  name sir madam ma'am mister miss dude man mate honey dear sweetie darling buddy yes no yep nope okay ok yeah am pm sec oh hi
  hello hey thanks thank bye sorry problem matter sense use deal luck let's gonna wanna gotta kinda sorta cause mind everybody
  chance feeling look hand course example instance piece amount level all total min sure true right wrong good great nice bad best
  better worse worst big small little large new old same other next last first second third own different certain able ready
  late early long short high low hard easy full free real whole several many much more most less least late later soon ago
  possible important interesting only such main certain entire past final nice lovely beautiful amazing awesome fine cool crazy
  weird funny stupid silly perfect exact possible likely glad happy sad worried afraid tired busy hungry up down minutes hundred
  thousand million dozen a.m. p.m. two three four five six seven eight nine ten twenty thirty forty fifty kilometre kilometres kilometer kilometers mile miles metre metres
  meter meters euro euros dollar dollars cent cents percent pound pounds kilo kilos litre litres degree degrees`,
);

const isNoun = (tag: string): boolean => tag === 'NOUN' || tag === 'PROPN';
const isEmpty = ({ text, lemma }: TaggedWord): boolean => {
  const low = text.toLowerCase();
  return (
    empty.has(low) ||
    empty.has(lemma) ||
    isFunctionWord(low) ||
    isFiller(low) ||
    low.length < 2 ||
    /['\d]/.test(low)
  );
};

interface Found {
  readonly words: readonly TaggedWord[];
  readonly sentence: number;
}

const joined = (list: readonly TaggedWord[]): string =>
  list
    .map(({ text }) => text)
    .join(' ')
    .replace(/ (?=['’]s\b)| ?- ?/gu, (gap) => gap.trim());

/** Finds the noun phrases of a sentence: adjectives and nouns, and "NOUN of NOUN". Removes empty words at either end. */
const nounPhrases = (sentence: readonly TaggedWord[]): TaggedWord[][] => {
  const phrases: TaggedWord[][] = [];
  let run: TaggedWord[] = [];
  const close = (): void => {
    let from = 0;
    let to = run.length;
    while (from < to && (isEmpty(run[from]!) || run[from]!.tag === 'PUNCT' || run[from]!.tag === 'PART'))
      from++;
    while (to > from && (!isNoun(run[to - 1]!.tag) || isEmpty(run[to - 1]!))) to--;
    // A long run of adjectives and nouns contains several names. Its last words form the phrase.
    if (to > from) phrases.push(run.slice(Math.max(from, to - 4), to));
    run = [];
  };
  for (const [index, word] of sentence.entries()) {
    const next = sentence[index + 1];
    const hyphen =
      word.text === '-' && run.length > 0 && next !== undefined && (isNoun(next.tag) || next.tag === 'ADJ');
    const genitive = word.tag === 'PART' && /^['’]s$/u.test(word.text) && run.length > 0;
    // "The school run": a word tagged as a verb is a noun after an article and a singular noun, if its clause ends there.
    const before = sentence[index - 1];
    const asNoun =
      word.tag === 'VERB' &&
      word.lemma === word.text.toLowerCase() &&
      before?.tag === 'NOUN' &&
      !/s$/.test(before.text) &&
      sentence.slice(Math.max(0, index - 3), index).some(({ tag }) => tag === 'DET') &&
      (next === undefined || /^(?:PUNCT|CCONJ|ADP|SCONJ)$/.test(next.tag));
    if (asNoun) {
      run.push({ ...word, tag: 'NOUN' });
      continue;
    }
    // "The card stops working": the last word is tagged as a plural noun but is a verb.
    if (
      run.length > 0 &&
      word.tag === 'NOUN' &&
      /[^s]s$/.test(word.text) &&
      next?.tag === 'VERB' &&
      /ing$/.test(next.text)
    ) {
      close();
      continue;
    }
    const fits = (isNoun(word.tag) || word.tag === 'ADJ') && !(isEmpty(word) && !isNoun(word.tag));
    // A noun before an adjective ends its phrase ("the roof new").
    if (fits && word.tag === 'ADJ' && run.some(({ tag }) => isNoun(tag)) && run.at(-1)!.text !== '-') close();
    if (fits || hyphen || genitive) run.push(word);
    else close();
  }
  close();
  return phrases;
};

const mostWords = 4;
/**
 * Minimum number of words and punctuation marks in a sentence. In a talk of more than three sentences, phrases of
 * shorter sentences are ignored, because the tagger makes more errors in them.
 */
const fewestWords = 4;

/** Returns the phrases of English sentences, most significant first. */
export const englishPhrases = (sentences: readonly (readonly TaggedWord[])[]): Phrase[] => {
  const found: Found[] = [];
  const counts = new Map<string, number>();
  for (const [sentence, tagged] of sentences.entries()) {
    for (const phrase of nounPhrases(tagged)) found.push({ words: phrase, sentence });
    for (const { lemma, tag } of tagged) {
      if (isNoun(tag) || tag === 'VERB' || tag === 'ADJ') counts.set(lemma, (counts.get(lemma) ?? 0) + 1);
    }
  }
  const best = new Map<string, Phrase & { times: number }>();
  for (const { words: list, sentence } of found) {
    // An adjective such as "cold-hearted" is not a phrase.
    if (list.at(-2)?.text === '-' && /(?:ed|ing)$/.test(list.at(-1)!.text)) continue;
    if (sentences[sentence]!.length < fewestWords && sentences.length > 3) continue;
    const named = list.filter((word) => !isEmpty(word) && word.text !== '-');
    if (named.length === 0 || named.length > mostWords) continue;
    const weight = named.reduce((sum, { lemma, tag }) => {
      const kind = tag === 'PROPN' ? 0.9 : tag === 'NOUN' ? 1 : 0.5;
      return sum + kind * (1 + Math.log2(counts.get(lemma) ?? 1));
    }, 0);
    const early = 1 + 0.5 * (1 - sentence / sentences.length);
    const score = (weight / named.length ** 0.55) * early;
    const text = joined(list);
    const key = named.map(({ lemma }) => lemma).join(' ');
    const before = best.get(key);
    if (before) best.set(key, { ...before, score: before.score * 1.15, times: before.times + 1 });
    else best.set(key, { text, stems: named.map(({ lemma }) => lemma), score, times: 1 });
  }
  return [...best.values()].sort((left, right) => right.score - left.score);
};

const longestRun = 2;

/** Returns the words of a text in order. Empty strings mark the ends of phrases. */
const spokenWords = (text: string, language: SpokenLanguage): string[] => {
  if (!language.unspaced)
    return text.split(/\s+/).flatMap((word) => {
      const bare = word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
      return /[.,;:!?…]$/u.test(word) ? [bare, ''] : [bare];
    });
  return [...new Intl.Segmenter(language.code, { granularity: 'word' }).segment(text)].map(
    ({ segment, isWordLike }) => (isWordLike ? segment : ''),
  );
};

/**
 * Returns the phrases of sentences in any language: words between stop words. The score compares how often words occur together and alone.
 * This is RAKE (Rose et al. 2010), with a limit on the length of a phrase.
 */
export const foreignPhrases = (sentences: readonly string[], language: SpokenLanguage): Phrase[] => {
  const runs: { words: string[]; sentence: number }[] = [];
  const counts = new Map<string, number>();
  for (const [sentence, text] of sentences.entries()) {
    let run: string[] = [];
    for (const word of [...spokenWords(text, language), '']) {
      const low = word.toLowerCase();
      const telling =
        low !== '' &&
        !language.isStopWord(low) &&
        !isFiller(low) &&
        !/^\d+$/.test(low) &&
        (language.unspaced || low.length > 2) &&
        // In German, only capitalised words count, because nouns are capitalised.
        (language.code !== 'de' || /^\p{Lu}/u.test(word));
      if (telling) {
        run.push(word);
        counts.set(low, (counts.get(low) ?? 0) + 1);
      }
      if (run.length > 0 && (!telling || run.length === longestRun)) {
        runs.push({ words: run, sentence });
        run = [];
      }
    }
  }
  const best = new Map<string, Phrase>();
  for (const { words: list, sentence } of runs) {
    const stems = list.map((word) => word.toLowerCase());
    const weight = stems.reduce((sum, stem) => sum + 1 + Math.log2(counts.get(stem)!), 0);
    const capital = list.some((word, index) => index > 0 && /^\p{Lu}/u.test(word)) ? 1.2 : 1;
    const key = stems.join(' ');
    const score = ((weight * capital) / list.length ** 0.75) * (1 + 0.25 * (1 - sentence / sentences.length));
    const before = best.get(key);
    if (before) best.set(key, { ...before, score: before.score * 1.15 });
    else best.set(key, { text: list.join(language.unspaced ? '' : ' '), stems, score });
  }
  return [...best.values()].sort((left, right) => right.score - left.score);
};

/** Whether a text contains a word that could be a topic. */
export const hasTopic = (text: string): boolean =>
  tokensOf(text).some((token) => isContentWord(token) && !empty.has(token));

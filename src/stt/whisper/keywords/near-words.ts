import { fixedLimits } from '../../../config/limits/index.js';
import { soundDistance, soundOf } from './sound.js';
import type { TextWord } from './text-words.js';

/** Words of a text that sound like a keyword. */
export interface NearWords {
  readonly keyword: string;
  /** The words in order; at least one. */
  readonly words: readonly TextWord[];
  /** Difference of the sounds: see `soundDistance`. */
  readonly distance: number;
}

/** Maximum number of near words for a keyword. */
const mostPlaces = 2;
/** Maximum difference of the sounds. */
const mostDistance = 0.4;
/** Number of words of the text that may sound like a keyword of one word. Names that a model does not know get split. */
const mostWords = 3;

const capitalised = (text: string): string => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

/**
 * Returns the ways in which a keyword may be written. Only a keyword in lower case may also begin with a capital letter,
 * because a sentence or a name begins with one.
 */
export const waysToWrite = (keyword: string): readonly string[] => {
  const other = keyword === keyword.toLowerCase() ? capitalised(keyword) : keyword;
  return other === keyword ? [keyword] : [keyword, other];
};

/** Returns the sequences of words within a phrase. @param most maximum number of words. */
const sequences = (words: readonly TextWord[], most: number): TextWord[][] =>
  words.flatMap((_, from) => {
    const all: TextWord[][] = [];
    for (let to = from; to < words.length && to - from < most; to++) {
      all.push(words.slice(from, to + 1));
      if (words[to]!.last) break;
    }
    return all;
  });

const written = (words: readonly TextWord[]): string => words.map(({ text }) => text).join(' ');
const overlaps = (some: readonly TextWord[], others: readonly TextWord[]): boolean =>
  some[0]!.from < others.at(-1)!.to && others[0]!.from < some.at(-1)!.to;

/** Removes blanks around keywords and repeated keywords. */
const distinct = (keywords: readonly string[]): string[] => [
  ...new Set(
    keywords.map((word) => word.normalize('NFC').trim().replace(/\s+/gu, ' ')).filter((word) => word !== ''),
  ),
];

/**
 * Finds words of a text that sound like keywords, the nearest first. Words that already are a keyword are not among them.
 * Of equally near keywords, the first of the list comes first.
 * @param words of the text, in order.
 */
export const nearWords = (words: readonly TextWord[], keywords: readonly string[]): NearWords[] => {
  const wanted = distinct(keywords).map((keyword) => ({
    keyword,
    ways: waysToWrite(keyword),
    sound: soundOf(keyword),
    most: Math.max(mostWords, keyword.split(' ').length + 1),
  }));
  const all = sequences(words, Math.max(mostWords, ...wanted.map(({ most }) => most))).map((sequence) => ({
    sequence,
    text: written(sequence),
    sound: soundOf(written(sequence)),
  }));
  const right = new Set(wanted.flatMap(({ ways }) => ways));
  const settled = all.filter(({ text }) => right.has(text)).map(({ sequence }) => sequence);
  const open = all.filter(({ sequence }) => !settled.some((other) => overlaps(sequence, other)));
  const found = wanted.flatMap(({ keyword, sound, most }) => {
    const near = open
      .filter(({ sequence }) => sequence.length <= most)
      .map((one) => ({
        keyword,
        words: one.sequence,
        distance: soundDistance(one.sound, sound, mostDistance),
      }))
      .filter(({ distance }) => distance <= mostDistance)
      .sort((a, b) => a.distance - b.distance || a.words.length - b.words.length);
    return near.slice(0, mostPlaces);
  });
  return found.sort((a, b) => a.distance - b.distance).slice(0, fixedLimits.nearWords.value);
};

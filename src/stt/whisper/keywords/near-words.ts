import { characterCount } from '../../../common/index.js';
import { fixedLimits } from '../../../config/limits/index.js';
import { mayBeNear, type Sound, soundDistance, soundOf } from './sound.js';
import type { TextWord } from './text-words.js';

/** Words of a text that sound like a keyword. */
export interface NearWords {
  readonly keyword: string;
  /** The words in order; at least one. */
  readonly words: readonly TextWord[];
  /** Difference of the sounds: see `soundDistance`. */
  readonly distance: number;
}

/** Maximum number of places in a text that are returned for one keyword. */
const mostPlaces = 2;
/** Maximum difference of the sounds. */
const mostDistance = 0.4;
/**
 * Maximum number of words of the text that together may sound like a keyword of one word. Models split names that they
 * do not know.
 */
const mostWords = 3;
/** Maximum number of words of the text that together may sound like a keyword of several words. */
const mostWordsOfPhrase = 8;

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

/**
 * Removes the blanks around keywords. Leaves out repeated keywords, and keywords that are too long in their composed
 * form.
 */
const distinct = (keywords: readonly string[]): string[] => [
  ...new Set(
    keywords
      .map((word) => word.normalize('NFC').trim().replace(/\s+/gu, ' '))
      .filter((word) => word !== '' && characterCount(word) <= fixedLimits.keywordLength.value),
  ),
];

/**
 * Compares sounds until the allowance of a text is used up. All speakers share the thread of the decoder. Without the
 * allowance, the keywords of one speaker could occupy this thread for long.
 */
class Comparisons {
  #left = fixedLimits.nearLetters.value;

  /** Returns the difference of two sounds; 1 if it is above `mostDistance`, or if the allowance does not cover it. */
  distance(one: Sound, other: Sound): number {
    if (!mayBeNear(one, other, mostDistance)) return 1;
    this.#left -= one.letters.length * other.letters.length;
    return this.#left < 0 ? 1 : soundDistance(one, other, mostDistance);
  }
}

/**
 * Finds words of a text that sound like keywords, the nearest first. Words that already are a keyword are left out. Of
 * equally near keywords, the first of the list comes first. The last keywords of a list are not compared if the first
 * ones use up the limit `nearLetters`.
 * @param words of the text, in order.
 */
export const nearWords = (words: readonly TextWord[], keywords: readonly string[]): NearWords[] => {
  const wanted = distinct(keywords).map((keyword) => ({
    keyword,
    ways: waysToWrite(keyword),
    sound: soundOf(keyword),
    most: Math.max(mostWords, Math.min(mostWordsOfPhrase, keyword.split(' ').length + 1)),
  }));
  const all = sequences(words, Math.max(mostWords, ...wanted.map(({ most }) => most))).map((sequence) => ({
    sequence,
    text: written(sequence),
    sound: soundOf(written(sequence)),
  }));
  const right = new Set(wanted.flatMap(({ ways }) => ways));
  const settled = all.filter(({ text }) => right.has(text)).map(({ sequence }) => sequence);
  const open = all.filter(({ sequence }) => !settled.some((other) => overlaps(sequence, other)));
  const comparisons = new Comparisons();
  const found = wanted.flatMap(({ keyword, sound, most }) => {
    const near = open
      .filter(({ sequence }) => sequence.length <= most)
      .map((one) => ({
        keyword,
        words: one.sequence,
        distance: comparisons.distance(one.sound, sound),
      }))
      .filter(({ distance }) => distance <= mostDistance)
      .sort((a, b) => a.distance - b.distance || a.words.length - b.words.length);
    return near.slice(0, mostPlaces);
  });
  return found.sort((a, b) => a.distance - b.distance).slice(0, fixedLimits.nearWords.value);
};

import { fillGap } from './fill-gap.js';
import { type Chain, chainRuns } from './runs.js';
import type { TimedWord } from './timed-words.js';

/** Words that were said once and transcribed twice. */
export interface Duplicates {
  /** For each word the index of the known word that stands for the same sound; -1: there is none. */
  readonly counterparts: Int32Array;
  /** Words in runs that are the same and overlap in time: what proves that both are of the same speech. In words. */
  readonly evidence: number;
  /** Ms that the known words are later. */
  readonly offset: number;
}

/** Words that may be transcribed differently between two that are the same. */
const mostSubstituted = 4;
/** Words between two steps. */
const stepWords = 4096;
/** Ms by which words that stand for the same sound may differ beside the offset. */
const substitutionTolerance = 1500;

/**
 * Finds the words that repeat known words. A pure rule; its time and memory are bounded (see `chainRuns`), and every `yield` ends at most some
 * thousand comparisons.
 *
 * 1. At least four words in a row that are the same, said in overlapping time, prove that both are of the same speech: no mouth says the same
 *    twice at once. Without such a run no word is a duplicate, however alike the texts are.
 * 2. The runs give the offset between the two clocks. Other runs count when they keep to it, and so do single words between runs.
 * 3. Up to four words between two that are the same are duplicates, too, where the known text has about as many other words, each at the time of
 *    its own: one speech that was recognised in two ways.
 *
 * Matches keep the order, and a known word stands for one word (two where both were recognised differently).
 *
 * @param known words by time.
 * @param words words by time.
 */
export function* findDuplicates(
  known: readonly TimedWord[],
  words: readonly TimedWord[],
): Generator<void, Duplicates, undefined> {
  const counterparts = new Int32Array(words.length).fill(-1);
  const chain: Chain = yield* chainRuns(known, words);
  const { runs, offset, evidence } = chain;
  if (runs.length === 0) return { counterparts, evidence: 0, offset: 0 };
  for (const { a, b, length } of runs) {
    for (let index = 0; index < length; index++) counterparts[b + index] = a + index;
    yield;
  }
  for (let next = 0; next <= runs.length; next++) {
    const [before, after] = [runs[next - 1], runs[next]];
    fillGap({ known, words, offset, counterparts }, before, after);
    yield;
  }
  yield* substitute(known, words, offset, counterparts);
  return { counterparts, evidence, offset };
}

/** Marks words that are recognised differently between two matches. */
function* substitute(
  known: readonly TimedWord[],
  words: readonly TimedWord[],
  offset: number,
  counterparts: Int32Array,
): Generator<void, void, undefined> {
  /** Whether `words[b]` is said when `known[a]` is. */
  const isThere = (b: number, a: number): boolean =>
    words[b]!.to + offset >= known[a]!.from - substitutionTolerance &&
    words[b]!.from + offset <= known[a]!.to + substitutionTolerance;
  let before = -1;
  const matched = counterparts.slice();
  for (let b = 0; b < words.length; b++) {
    if (b % stepWords === stepWords - 1) yield;
    if (matched[b] === -1) continue;
    const gap = b - before - 1;
    const first = (before < 0 ? -1 : matched[before]!) + 1;
    const others = matched[b]! - first;
    if (before >= 0 && gap > 0 && gap <= mostSubstituted && gap <= 2 * others && others <= 2 * gap + 1) {
      const places = Array.from(
        { length: gap },
        (_, index) => first + Math.floor((index * others) / Math.max(gap, others)),
      );
      if (places.every((place, index) => isThere(before + 1 + index, place)))
        counterparts.set(places, before + 1);
    }
    before = b;
  }
}

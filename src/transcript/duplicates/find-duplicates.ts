import { fillGap } from './fill-gap.js';
import { type Chain, chainRuns } from './runs.js';
import type { TimedWord } from './timed-words.js';

/** Result of the search for words that were spoken once and transcribed twice. */
export interface Duplicates {
  /** For each word, the index of the known word that transcribes the same sound; -1 if there is none. */
  readonly counterparts: Int32Array;
  /**
   * Number of words in equal runs that overlap in time. These runs prove that both transcripts contain the same
   * speech.
   */
  readonly evidence: number;
  /** Time in ms by which `known` is later than `words`. */
  readonly offset: number;
}

/** Maximum number of differently transcribed words between two equal words. */
const mostSubstituted = 4;
/** Number of words that are processed between two yields. */
const stepWords = 4096;
/** Maximum deviation from the offset, in ms, of two words that transcribe the same sound. */
const substitutionTolerance = 1500;

/**
 * Finds words that repeat known words. The result depends only on the arguments. The time and memory of the search are
 * bounded (see `chainRuns`), and every `yield` follows at most some thousand comparisons.
 *
 * 1. At least four equal words in a row at overlapping times prove the same speech. A person cannot say the same words
 * twice at one time. Without such a run no word is a duplicate, however similar the texts are.
 * 2. The runs determine the offset between the two clocks. Other runs, and single words between runs, count as
 * duplicates if they agree with this offset.
 * 3. Up to four words between two equal words are also duplicates. The known text must have about as many other words
 * there, at matching times. Such words are speech that was recognised in two ways.
 *
 * Matches keep the order. A known word matches one word, or two if both were recognised differently.
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

/** Marks words between two matches as duplicates if they were recognised differently. */
function* substitute(
  known: readonly TimedWord[],
  words: readonly TimedWord[],
  offset: number,
  counterparts: Int32Array,
): Generator<void, void, undefined> {
  /** Whether `words[b]` and `known[a]` were spoken at the same time. */
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

import { fixedLimits } from '../../config/limits/index.js';
import { findDuplicates } from './find-duplicates.js';
import { type TimedText, type TimedWord, timedWords } from './timed-words.js';

/** A part of a text that remains after duplicate words were removed. */
export interface KeptText<Text extends TimedText> {
  readonly source: Text;
  /** Whether the part is the complete text of `source`. */
  readonly whole: boolean;
  readonly text: string;
  /** Wall clock (ms) of the start and end. */
  readonly from: number;
  readonly to: number;
}

export interface Compared<Text extends TimedText> {
  /** The remaining parts, in the order of the texts. */
  readonly kept: readonly KeptText<Text>[];
  /** Number of compared words. */
  readonly words: number;
  /** Number of compared words that repeat known words. */
  readonly repeated: number;
  /** Whether some words were not compared, because there are more than `comparedWords` words. */
  readonly isCut: boolean;
  /** The same values as in `Duplicates`. */
  readonly evidence: number;
  readonly offset: number;
  /** Indexes of a text and of a known text that have a word in common. There is one pair for each such word. */
  readonly pairs: readonly (readonly [text: number, known: number])[];
}

const mostWords = fixedLimits.comparedWords.value;

/** Time in ms before and after the texts. Known texts within this time are compared. */
const reach = 30_000;

/**
 * Removes words that repeat known texts: see `findDuplicates`. The remaining words keep their punctuation and
 * times. Texts without words stay. Words after the first `comparedWords` also stay. The result depends only on the
 * arguments. The generator yields between bounded steps.
 * @param known sorted by start.
 * @param texts sorted by start.
 */
export function* withoutDuplicates<Text extends TimedText>(
  known: readonly TimedText[],
  texts: readonly Text[],
): Generator<void, Compared<Text>, undefined> {
  const first = texts[0]?.from ?? 0;
  const last = texts.reduce((latest, { to }) => Math.max(latest, to), Number.NEGATIVE_INFINITY);
  const knownWords = yield* allWords(known, ({ from, to }) => to >= first - reach && from <= last + reach);
  const words = yield* allWords(texts, () => true);
  const { counterparts, evidence, offset } = yield* findDuplicates(knownWords, words);
  const kept: KeptText<Text>[] = [];
  const pairs: (readonly [number, number])[] = [];
  let repeated = 0;
  let next = 0;
  for (const [index, source] of texts.entries()) {
    const begin = next;
    while (words[next]?.source === index) next++;
    const own = words.slice(begin, next);
    const isRepeated = own.map((_, at) => counterparts[begin + at] !== -1);
    for (const [at, is] of isRepeated.entries()) {
      if (!is) continue;
      repeated++;
      pairs.push([index, knownWords[counterparts[begin + at]!]!.source]);
    }
    for (const part of keptOf(source, own, isRepeated)) kept.push(part);
    // Yields only every eight texts, because a text has at most some hundred words.
    if (index % 8 === 7) yield;
  }
  const isCut = words.length === mostWords || knownWords.length === mostWords;
  return { kept, words: words.length, repeated, isCut, evidence, offset, pairs };
}

/** Returns the words of the texts for which `isNear` is true, at most `mostWords` words. */
function* allWords(
  texts: readonly TimedText[],
  isNear: (text: TimedText) => boolean,
): Generator<void, TimedWord[], undefined> {
  const words: TimedWord[] = [];
  for (const [index, text] of texts.entries()) {
    if (!isNear(text)) continue;
    const own = timedWords(text, index);
    for (const word of own.slice(0, mostWords - words.length)) words.push(word);
    if (words.length === mostWords) return words;
    yield;
  }
  return words;
}

/** Returns the parts of a text that remain between its duplicates. */
const keptOf = <Text extends TimedText>(
  source: Text,
  words: readonly TimedWord[],
  isRepeated: readonly boolean[],
): KeptText<Text>[] => {
  const { text, from, to } = source;
  if (!isRepeated.includes(true)) return [{ source, whole: true, text, from, to }];
  const kept: KeptText<Text>[] = [];
  for (let at = 0; at < words.length; at++) {
    if (isRepeated[at]) continue;
    const first = at;
    while (at + 1 < words.length && !isRepeated[at + 1]) at++;
    // Punctuation between two words stays with the first word.
    const start = first === 0 ? 0 : words[first]!.start;
    const end = words[at + 1]?.start ?? text.length;
    kept.push({
      source,
      whole: false,
      text: text.slice(start, end).trim(),
      from: words[first]!.from,
      to: words[at]!.to,
    });
  }
  return kept;
};

import { normaliseWords } from '../../src/app/sample/word-error.js';
import { shareIn, type Trigrams, trigramsOf } from './likeness.js';
import type { RecordedSentence } from './recordings.js';

/** A sentence of one stream, and the text that the best model writes if it decodes only this sentence. */
export interface Sentence {
  readonly pcm: Int16Array;
  readonly text: string;
}

/** Options for the choice of the sentences that the streams of one language send. */
export interface Dealing {
  readonly language: string;
  readonly streams: number;
  /** Number of sentences of each stream. A stream may get fewer, but at least `fewest`. */
  readonly each: number;
  /** Recordings to choose from, in the order in which they are tried. */
  readonly candidates: readonly RecordedSentence[];
  readonly samplesOf: (path: string) => Promise<Int16Array>;
  /** Returns the text that the best model writes for a recording. @param pcm its samples */
  readonly textOf: (path: string, pcm: Int16Array, language: string) => Promise<string>;
  /** Trigrams of all sentences that were chosen, of all languages. `deal` appends to this list. */
  readonly chosen: Trigrams[];
  readonly signal?: AbortSignal | undefined;
}

const rate = 16_000;
/** Minimum and maximum length of a sentence in seconds. */
const lengths = { least: 1.5, most: 16 } as const;
/** Minimum number of words in a sentence. Shorter texts are too similar to one another. */
const leastWords = 4;
/**
 * Maximum share of a sentence's trigrams that another sentence may contain. With a larger share, a stored text could
 * belong to either of two streams.
 */
const mostAlike = 0.5;
/** Minimum number of sentences in a stream. */
const fewest = 4;

const isAlike = (text: Trigrams, chosen: readonly Trigrams[]): boolean =>
  chosen.some((other) => shareIn(text, other) > mostAlike || shareIn(other, text) > mostAlike);

/**
 * Distributes sentences among the streams of a language. Each stream has one voice. No sentence is similar to a
 * sentence of another stream.
 * @throws Error if there are too few sentences.
 */
export const deal = async (dealing: Dealing): Promise<Sentence[][]> => {
  const { language, streams, each, candidates, samplesOf, textOf, chosen, signal } = dealing;
  const voices = [...new Set(candidates.map(({ voice }) => voice))];
  const left = new Map(voices.map((voice) => [voice, candidates.filter((one) => one.voice === voice)]));
  const dealt: Sentence[][] = Array.from({ length: streams }, () => []);
  for (let round = 0; round < each; round++) {
    for (const [stream, sentences] of dealt.entries()) {
      const own = left.get(voices[stream % voices.length]!)!;
      for (let next = own.shift(); next !== undefined; next = own.shift()) {
        signal?.throwIfAborted();
        const pcm = await samplesOf(next.path);
        const seconds = pcm.length / rate;
        if (seconds < lengths.least || seconds > lengths.most) continue;
        const text = await textOf(next.path, pcm, language);
        const trigrams = trigramsOf(text);
        if (normaliseWords(text).length < leastWords || isAlike(trigrams, chosen)) continue;
        chosen.push(trigrams);
        sentences.push({ pcm, text });
        break;
      }
    }
  }
  const poor = dealt.filter(({ length }) => length < fewest).length;
  if (poor > 0) throw new Error(`${poor} streams in ${language} have fewer than ${fewest} sentences`);
  return dealt;
};

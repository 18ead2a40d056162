import { sampleRate, type TimedTokens, type WordTime, wordsOfTokens } from '../shared/index.js';
import { endsWithWords, ranOn, secondTryPadding, withoutLoop } from './second-try.js';
import { unreadRest } from './unread-rest.js';

/** What the recogniser says of some audio. */
export interface Recognised extends TimedTokens {
  readonly text: string;
  /** The text did not end by itself: it has as many tokens as it may have. */
  readonly cutOff: boolean;
}

/** Recognises mono 16 kHz speech, samples from -1 to 1. */
export type Recognise = (samples: Float32Array) => Promise<Recognised>;

/** The words of a part, and what it took to get them. */
export interface PartWords {
  readonly text: string;
  /** In ms from the first sample of the part; empty where the recogniser tells no times. */
  readonly words: readonly WordTime[];
  /** How often speech was recognised once more, with silence behind it. */
  readonly repeated: number;
  /** The text repeated itself also then, and had its copies taken out. */
  readonly looped: boolean;
}

/** Shorter audio is padded with silence. */
const fewestSamples = 1600;
/** How often speech behind the end of a text is recognised by itself. */
const mostRests = 3;

/**
 * Converts samples to -1..1.
 * @param silence seconds that are added at the end.
 */
const toFloat = (pcm: Int16Array, silence: number): Float32Array => {
  const samples = new Float32Array(Math.max(pcm.length, fewestSamples) + silence * sampleRate);
  for (let index = 0; index < pcm.length; index++) samples[index] = pcm[index]! / 32_768;
  return samples;
};

/** The words of a piece from `offset` ms of its part on. One that ran on is recognised once more, with silence behind it. */
const recognisePiece = async (
  piece: Int16Array,
  offset: number,
  recognise: Recognise,
): Promise<PartWords> => {
  const end = offset + Math.round((piece.length / sampleRate) * 1000);
  const attempt = async (silence: number): Promise<PartWords & { readonly ranOn: boolean }> => {
    const found = await recognise(toFloat(piece, silence));
    // What is found last may lie in the silence that was added.
    const words = wordsOfTokens(found, offset).map((word) => ({
      text: word.text,
      start: Math.min(word.start, end),
      end: Math.min(word.end, end),
    }));
    const repeated = silence > 0 ? 1 : 0;
    return { text: found.text, words, repeated, looped: false, ranOn: ranOn(found) };
  };
  const first = await attempt(0);
  if (!first.ranOn) return first;
  const second = await attempt(secondTryPadding);
  if (second.text.trim() === '')
    return { ...first, text: withoutLoop(first.text), repeated: 1, looped: true };
  return second.ranOn ? { ...second, text: withoutLoop(second.text), looped: true } : second;
};

/**
 * The words of audio that the recogniser takes at once. Where its text ends before the speech does, the rest is recognised by itself.
 * @param part mono 16 kHz; only read.
 * @throws what `recognise` throws.
 */
export const wordsOfPart = async (part: Int16Array, recognise: Recognise): Promise<PartWords> => {
  let all = await recognisePiece(part, 0, recognise);
  for (let count = 0; count < mostRests && !all.looped; count++) {
    const from = unreadRest(all.words, part);
    if (from === undefined) break;
    const rest = await recognisePiece(part.subarray(from), (from / sampleRate) * 1000, recognise);
    all = { ...all, repeated: all.repeated + rest.repeated };
    // What cannot be made out is left out, as it was before.
    if (rest.looped || rest.text.trim() === '') break;
    // The last word was taken to end too early, and was recognised again.
    if (endsWithWords(all.text, rest.text)) break;
    all = { ...all, text: `${all.text} ${rest.text}`, words: [...all.words, ...rest.words] };
  }
  return all;
};

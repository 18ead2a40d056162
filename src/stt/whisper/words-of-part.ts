import { sampleRate, type TimedTokens, type WordTime, wordsOfTokens } from '../shared/index.js';
import { endsWithWords, isRepetition, ranOn, secondTryPadding, withoutLoop } from './second-try.js';
import { unreadRest } from './unread-rest.js';

/** Result of the recogniser. */
export interface Recognised extends TimedTokens {
  readonly text: string;
  /** Whether the text ended because it reached the token limit. */
  readonly cutOff: boolean;
  /**
   * True if it is doubtful whether the audio contains speech. In that case, a text that does not end properly is
   * dropped. Default: false.
   */
  readonly doubtful?: boolean;
}

/** Recognises speech: mono samples at 16 kHz, from -1 to 1. */
export type Recognise = (samples: Float32Array) => Promise<Recognised>;

/** The words of a part, and information about how they were obtained. */
export interface PartWords {
  readonly text: string;
  /** Words with times in ms from the first sample of the part; empty if the recogniser returned no times. */
  readonly words: readonly WordTime[];
  /** Number of times that audio was recognised again with silence appended. */
  readonly repeated: number;
  /** Whether the text still repeated itself and its repetitions were removed. */
  readonly looped: boolean;
}

/** Minimum number of samples. Shorter audio is padded with silence. */
const fewestSamples = 1600;
/** Maximum number of times that the rest of the audio after an incomplete text is recognised separately. */
const mostRests = 3;

/**
 * Converts samples to the range from -1 to 1.
 * @param silence seconds of silence to append.
 */
const toFloat = (pcm: Int16Array, silence: number): Float32Array => {
  const samples = new Float32Array(Math.max(pcm.length, fewestSamples) + silence * sampleRate);
  for (let index = 0; index < pcm.length; index++) samples[index] = pcm[index]! / 32_768;
  return samples;
};

/**
 * Recognises a piece of a part. If the text reaches the token limit or repeats itself, it recognises the piece again
 * with silence appended. If that does not help, it removes the repetitions. If it is doubtful that the piece contains
 * speech, it removes the whole text instead.
 * @param offset ms of the piece within its part.
 */
const recognisePiece = async (
  piece: Int16Array,
  offset: number,
  recognise: Recognise,
): Promise<PartWords> => {
  const end = offset + Math.round((piece.length / sampleRate) * 1000);
  const attempt = async (
    silence: number,
  ): Promise<PartWords & { readonly ranOn: boolean; readonly doubtful: boolean }> => {
    const found = await recognise(toFloat(piece, silence));
    // Clamps the times, because the last words may get times in the appended silence.
    const words = wordsOfTokens(found, offset).map((word) => ({
      text: word.text,
      start: Math.min(word.start, end),
      end: Math.min(word.end, end),
    }));
    const repeated = silence > 0 ? 1 : 0;
    const { doubtful = false } = found;
    return { text: found.text, words, repeated, looped: false, ranOn: ranOn(found), doubtful };
  };
  const first = await attempt(0);
  if (!first.ranOn) return first;
  const second = await attempt(secondTryPadding);
  const isEmpty = second.text.trim() === '';
  // If the audio may contain no speech, the second text may be only copies of one word. Such a text is a rest of the
  // first text's loop.
  const isRest = first.doubtful && isRepetition(second.text);
  if (!isEmpty && !second.ranOn && !isRest) return second;
  // In babble (several mixed voices), models repeat themselves even with probable tokens. So the text of doubtful audio
  // is dropped.
  if (first.doubtful || second.doubtful) return { ...second, text: '', words: [], looped: true };
  const looped = isEmpty ? first : second;
  return { ...looped, text: withoutLoop(looped.text), repeated: 1, looped: true };
};

/**
 * Recognises audio of a length that the recogniser accepts. If the text ends before the speech, it recognises the
 * rest separately.
 * @param part mono, 16 kHz; only read.
 * @throws errors of `recognise`.
 */
export const wordsOfPart = async (part: Int16Array, recognise: Recognise): Promise<PartWords> => {
  let all = await recognisePiece(part, 0, recognise);
  for (let count = 0; count < mostRests && !all.looped; count++) {
    const from = unreadRest(all.words, part);
    if (from === undefined) break;
    const rest = await recognisePiece(part.subarray(from), (from / sampleRate) * 1000, recognise);
    all = { ...all, repeated: all.repeated + rest.repeated };
    // Stops, because the rest is unintelligible.
    if (rest.looped || rest.text.trim() === '') break;
    // Stops, because the rest is only the last word again. The end time of that word was too early.
    if (endsWithWords(all.text, rest.text)) break;
    all = { ...all, text: `${all.text} ${rest.text}`, words: [...all.words, ...rest.words] };
  }
  return all;
};

import { hasSentenceEnd, splitSentences } from '../transcript/index.js';
import { type Detect, judgeLanguage } from './judge-language.js';

/** A sentence of a segment, and whether to translate it or keep it. */
export interface PlannedSentence {
  readonly text: string;
  readonly translate: boolean;
}

/**
 * Decides which sentences of a segment to translate: those not in the user's language, if at least one is surely in
 * another language. A pure function.
 * @returns null when the segment needs no translation.
 */
export const planSentences = (text: string, target: string, detect: Detect): PlannedSentence[] | null => {
  const sentences = splitSentences(text).map((sentence) => ({
    text: sentence,
    judged: judgeLanguage(sentence, target, detect),
  }));
  const foreign =
    sentences.some(({ judged }) => judged === 'other') ||
    // Sentences that are too short to judge one by one are judged together.
    (sentences.every(({ judged }) => judged === 'unknown') &&
      judgeLanguage(text, target, detect) === 'other');
  if (!foreign) return null;
  return sentences.map(({ text: sentence, judged }) => ({ text: sentence, translate: judged !== 'target' }));
};

const tokens = /\S+/g;
/** Number of words from which a sentence without an end mark counts as complete. */
const manyTokens = 12;

/** Whether the last words of a segment are a complete sentence, although more may be added. */
export const endsStable = (text: string): boolean => {
  const last = splitSentences(text).at(-1) ?? '';
  return hasSentenceEnd(last) || (last.match(tokens)?.length ?? 0) >= manyTokens;
};

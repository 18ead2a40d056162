import { hasSentenceEnd, splitSentences } from '../transcript/index.js';
import { type Detect, judgeLanguage } from './judge-language.js';

/** A sentence of a segment, and whether it is translated or kept as spoken. */
export interface PlannedSentence {
  readonly text: string;
  readonly translate: boolean;
}

/**
 * Decides which sentences of a segment are translated. If at least one sentence is certainly in another language, every
 * sentence that is not in the user's language is translated. Has no side effects.
 * @returns null if the segment needs no translation.
 */
export const planSentences = (text: string, target: string, detect: Detect): PlannedSentence[] | null => {
  const sentences = splitSentences(text).map((sentence) => ({
    text: sentence,
    judged: judgeLanguage(sentence, target, detect),
  }));
  const foreign =
    sentences.some(({ judged }) => judged === 'other') ||
    // If every sentence is too short to decide, decides about the complete text.
    (sentences.every(({ judged }) => judged === 'unknown') &&
      judgeLanguage(text, target, detect) === 'other');
  if (!foreign) return null;
  return sentences.map(({ text: sentence, judged }) => ({ text: sentence, translate: judged !== 'target' }));
};

const tokens = /\S+/g;
/** Minimum number of words at which a sentence without an end mark counts as complete. */
const manyTokens = 12;

/** Whether a segment ends with a complete sentence. More sentences may follow later. */
export const endsStable = (text: string): boolean => {
  const last = splitSentences(text).at(-1) ?? '';
  return hasSentenceEnd(last) || (last.match(tokens)?.length ?? 0) >= manyTokens;
};

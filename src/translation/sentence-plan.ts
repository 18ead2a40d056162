import { hasSentenceEnd, splitSentences } from '../transcript/index.js';
import { type Detect, judgeLanguage } from './judge-language.js';

/** A sentence of a segment, and whether it is translated or stays as it is. */
export interface PlannedSentence {
  readonly text: string;
  readonly translate: boolean;
}

/**
 * Which sentences of a segment are translated: those that are not in the user's language, where at least one is in another language for
 * certain. A pure function.
 * @returns null when the segment needs no translation.
 */
export const planSentences = (text: string, target: string, detect: Detect): PlannedSentence[] | null => {
  const sentences = splitSentences(text).map((sentence) => ({
    text: sentence,
    judged: judgeLanguage(sentence, target, detect),
  }));
  const foreign =
    sentences.some(({ judged }) => judged === 'other') ||
    // Sentences that are too short to be judged one by one say more together.
    (sentences.every(({ judged }) => judged === 'unknown') &&
      judgeLanguage(text, target, detect) === 'other');
  if (!foreign) return null;
  return sentences.map(({ text: sentence, judged }) => ({ text: sentence, translate: judged !== 'target' }));
};

const tokens = /\S+/g;
/** Words from which a sentence without an end is taken for one. */
const manyTokens = 12;

/** Whether the last words of a segment are a sentence, although more may be added. */
export const endsStable = (text: string): boolean => {
  const last = splitSentences(text).at(-1) ?? '';
  return hasSentenceEnd(last) || (last.match(tokens)?.length ?? 0) >= manyTokens;
};

import { isContentWord, sentencesOf, tokensOf } from '../structure/language/index.js';

/** A sentence, and the share of a question's words that occur in it, 0 to 1. */
export interface RankedSentence {
  readonly text: string;
  readonly share: number;
}

/** Maximum number of sentences of a conversation that are considered. */
const mostSentences = 400;

const contentOf = (text: string): ReadonlySet<string> =>
  new Set(tokensOf(text).filter((token) => isContentWord(token) || /^\d+$/.test(token)));

const shareOf = (words: ReadonlySet<string>, text: string): number => {
  if (words.size === 0) return 0;
  const found = contentOf(text);
  return [...words].filter((word) => found.has(word)).length / words.size;
};

/** Normalises a sentence, because transcript and overview may write it differently. */
const saidIn = (text: string): string => text.toLowerCase().replace(/[\s.!?…。]{1,20}$/u, '');

/** Returns the sentences of several texts in order. A sentence that occurs again is left out. */
const sentencesIn = (texts: readonly string[]): string[] => {
  const found = new Map<string, string>();
  for (const text of texts) {
    if (found.size >= mostSentences) break;
    const segment = { text, speaker_id: 0, is_user: false, start: 0 };
    for (const sentence of sentencesOf([segment], mostSentences - found.size)) {
      const said = saidIn(sentence.text);
      if (!found.has(said)) found.set(said, sentence.text);
    }
  }
  return [...found.values()];
};

/**
 * Returns the sentences of a conversation that contain the most words of a question, best first.
 * @param texts spoken texts; the caller limits their length.
 * @param most maximum number of sentences to return.
 */
export const rankedSentences = ({
  question,
  texts,
  most,
}: {
  readonly question: string;
  readonly texts: readonly string[];
  readonly most: number;
}): readonly RankedSentence[] => {
  const words = contentOf(question);
  return (
    sentencesIn(texts)
      .map((text) => ({ text, share: shareOf(words, text) }))
      // The sort is stable: of sentences with equal shares, the earlier one stays first.
      .sort((one, other) => other.share - one.share)
      .slice(0, most)
  );
};

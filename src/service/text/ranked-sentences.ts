import { isContentWord, sentencesOf, tokensOf } from '../structure/language/index.js';

/** A sentence, and the share of the words of a question that occur in it, 0 to 1. */
export interface RankedSentence {
  readonly text: string;
  readonly share: number;
}

/** Sentences of a conversation that are looked at. */
const mostSentences = 400;

const contentOf = (text: string): ReadonlySet<string> =>
  new Set(tokensOf(text).filter((token) => isContentWord(token) || /^\d+$/.test(token)));

const shareOf = (words: ReadonlySet<string>, text: string): number => {
  if (words.size === 0) return 0;
  const found = contentOf(text);
  return [...words].filter((word) => found.has(word)).length / words.size;
};

/** A sentence without what a transcript and its overview may write differently. */
const saidIn = (text: string): string => text.toLowerCase().replace(/[\s.!?…。]{1,20}$/u, '');

/** Each sentence of some texts once, in their order. */
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
 * The sentences of a conversation that answer a question best by their words, the best first.
 * @param texts what was said, bounded by the caller.
 * @param most sentences that are returned.
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
      // Of equal shares the earlier sentence stays first.
      .sort((one, other) => other.share - one.share)
      .slice(0, most)
  );
};

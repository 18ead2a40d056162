import type { LiveSegment } from '../../wire/segment.js';
import { cut, isContentWord, tokensOf } from './words.js';

export interface Sentence {
  readonly text: string;
  readonly speakerId: number;
  readonly isUser: boolean;
  /** Seconds from the start of the conversation. */
  readonly start: number;
}

const splitter = new Intl.Segmenter('en', { granularity: 'sentence' });
const longestSentence = 600;

/** The first `limit` sentences of a transcript, each with its speaker and the start of its segment. */
export const sentencesOf = (segments: readonly LiveSegment[], limit: number): Sentence[] => {
  const sentences: Sentence[] = [];
  for (const segment of segments) {
    for (const { segment: piece } of splitter.segment(segment.text)) {
      const text = cut(
        cut(piece, 2 * longestSentence)
          .replace(/\s+/g, ' ')
          .trim(),
        longestSentence,
      );
      if (text === '') continue;
      if (sentences.length === limit) return sentences;
      sentences.push({ text, speakerId: segment.speaker_id, isUser: segment.is_user, start: segment.start });
    }
  }
  return sentences;
};

/**
 * Ranks sentences by the mean frequency of their content words in the whole talk (as in Luhn 1958 and SumBasic). Very short
 * and very long sentences are ranked lower.
 * @returns indexes, best first.
 */
export const rankSentences = (sentences: readonly Sentence[]): number[] => {
  const frequency = new Map<string, number>();
  const tokens = sentences.map((sentence) => tokensOf(sentence.text).filter(isContentWord));
  for (const list of tokens) for (const token of list) frequency.set(token, (frequency.get(token) ?? 0) + 1);
  const scores = tokens.map((list) => {
    if (list.length === 0) return 0;
    const sum = [...new Set(list)].reduce((total, token) => total + frequency.get(token)!, 0);
    return (sum / Math.sqrt(list.length)) * Math.min(1, list.length / 4) * Math.min(1, 30 / list.length);
  });
  return scores
    .map((score, index) => ({ score, index }))
    .sort((left, right) => right.score - left.score || left.index - right.index)
    .map(({ index }) => index);
};

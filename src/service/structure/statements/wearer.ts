import type { Sentence } from '../language/index.js';

/**
 * The sentences in which "I" is the user. If the user's voice is known, the user's sentences; with a single voice, all. With several
 * unknown voices none, because a statement of another person could be stored as the user's.
 */
export const ownSentences = (sentences: readonly Sentence[]): readonly Sentence[] => {
  if (sentences.some(({ isUser }) => isUser)) return sentences.filter(({ isUser }) => isUser);
  return new Set(sentences.map(({ speakerId }) => speakerId)).size === 1 ? sentences : [];
};

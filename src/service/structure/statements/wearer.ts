import type { Sentence } from '../language/index.js';

/**
 * The sentences in which "I" is the user: the user's own where the user's voice is known, all where there is a single voice. In
 * a talk of several unknown voices none, because a statement of another person would become one of the user.
 */
export const ownSentences = (sentences: readonly Sentence[]): readonly Sentence[] => {
  if (sentences.some(({ isUser }) => isUser)) return sentences.filter(({ isUser }) => isUser);
  return new Set(sentences.map(({ speakerId }) => speakerId)).size === 1 ? sentences : [];
};

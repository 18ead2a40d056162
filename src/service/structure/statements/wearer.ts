import type { Sentence } from '../language/index.js';

/**
 * Returns the sentences in which "I" means the user. If the user's voice is known, returns the user's sentences. If
 * there is only one voice, returns all sentences. If there are several voices and the user's voice is unknown, returns
 * no sentences. Otherwise another person's statement could be stored as the user's.
 */
export const ownSentences = (sentences: readonly Sentence[]): readonly Sentence[] => {
  if (sentences.some(({ isUser }) => isUser)) return sentences.filter(({ isUser }) => isUser);
  return new Set(sentences.map(({ speakerId }) => speakerId)).size === 1 ? sentences : [];
};

import type { Detect } from './judge-language.js';

/**
 * Loads the language detector: `eld` with its small set of n-grams, 60 languages. It takes memory, so it is loaded at
 * its first use. It reads some 350 bytes of a text.
 */
export const loadDetector = async (): Promise<Detect> => {
  const { eld } = await import('eld/small');
  return (text) => {
    const found = eld.detect(text);
    return { language: found.language, reliable: found.isReliable(), scores: found.getScores() };
  };
};

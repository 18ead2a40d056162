import type { Detect } from './judge-language.js';

/**
 * Loads the language detector: `eld` with its small set of n-grams for 60 languages. The detector takes memory, so it
 * is loaded on first use. It reads only some 350 bytes of a text.
 */
export const loadDetector = async (): Promise<Detect> => {
  const { eld } = await import('eld/small');
  return (text) => {
    const found = eld.detect(text);
    return { language: found.language, reliable: found.isReliable(), scores: found.getScores() };
  };
};

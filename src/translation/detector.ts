import type { Detect } from './judge-language.js';

/**
 * Loads the detector of languages: `eld` with its small set of n-grams, 60 languages. It takes memory, so it is loaded when it is first needed.
 * Of a text it looks at some 350 bytes.
 */
export const loadDetector = async (): Promise<Detect> => {
  const { eld } = await import('eld/small');
  return (text) => {
    const found = eld.detect(text);
    return { language: found.language, reliable: found.isReliable(), scores: found.getScores() };
  };
};

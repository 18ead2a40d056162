import { introductionSearch } from '../../src/transcript/names/introduced-name.js';

/** Takes all steps of a search, and returns the name that it finds; null if there is none. */
export const introducedName = (text: string, language: string): string | null => {
  const search = introductionSearch(text, language);
  let step = search.next();
  while (!step.done) step = search.next();
  return step.value;
};

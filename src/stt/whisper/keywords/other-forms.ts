import { lettersOf } from './sound.js';

/** Minimum number of letters at the beginning that two forms of a word share. */
const shared = 3;
/** Maximum number of letters that each form may have after the shared beginning. */
const ending = 3;

/** Whether two words may be forms of the same word, such as "recite" and "recited". */
export const isOtherForm = (one: string, other: string): boolean => {
  const [a, b] = [lettersOf(one), lettersOf(other)];
  let same = 0;
  while (same < Math.min(a.length, b.length) && a[same] === b[same]) same++;
  return same >= shared && a.length - same <= ending && b.length - same <= ending;
};

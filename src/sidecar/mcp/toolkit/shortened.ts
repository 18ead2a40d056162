import { firstCharacters } from '../../../common/index.js';
import { fixedLimits } from '../../../config/limits/index.js';

/**
 * Cuts texts of one answer, so that together they stay within `toolTexts`: each to an equal part of it. With the usual number of
 * rows that is more than nearly every text has.
 * @param count of the texts.
 */
export const shortened = (count: number): ((text: string) => string) => {
  const most = Math.floor(fixedLimits.toolTexts.value / Math.max(1, count));
  return (text) => {
    const start = firstCharacters(text, most);
    return start.length === text.length ? text : `${start}...`;
  };
};

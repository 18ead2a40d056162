import { firstCharacters } from '../../../common/index.js';
import { fixedLimits } from '../../../config/limits/index.js';

/**
 * Cuts the texts of one answer so that together they fit into `toolTexts`. Each gets an equal share. With the usual number of rows nearly
 * every text fits uncut.
 * @param count of the texts.
 */
export const shortened = (count: number): ((text: string) => string) => {
  const most = Math.floor(fixedLimits.toolTexts.value / Math.max(1, count));
  return (text) => {
    const start = firstCharacters(text, most);
    return start.length === text.length ? text : `${start}...`;
  };
};

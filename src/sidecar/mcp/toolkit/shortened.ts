import { firstCharacters } from '../../../common/index.js';
import { fixedLimits } from '../../../config/limits/index.js';

/**
 * Returns a function that shortens the texts of one answer, so that all texts together fit into `toolTexts`. Each text gets an equal share.
 * With the usual number of rows, nearly every text fits completely.
 * @param count number of texts.
 */
export const shortened = (count: number): ((text: string) => string) => {
  const most = Math.floor(fixedLimits.toolTexts.value / Math.max(1, count));
  return (text) => {
    const start = firstCharacters(text, most);
    return start.length === text.length ? text : `${start}...`;
  };
};

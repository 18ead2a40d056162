/** Finds the names with which speakers introduce themselves. */
export { introductionSearch, prepareIntroductions } from './introduced-name.js';

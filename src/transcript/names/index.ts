/** Finds the names with which speakers introduce themselves. */
export { introducedName, introductionSearch, prepareIntroductions } from './introduced-name.js';

/** Finds the names with which speakers introduce themselves. */
export { introducedName, prepareIntroductions } from './introduced-name.js';

/** Finds the names with which speakers introduce themselves. */
export { introducedName } from './introduced-name.js';

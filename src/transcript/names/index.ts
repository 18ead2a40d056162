/** Finds names that speakers introduce themselves by. */
export { introducedName } from './introduced-name.js';

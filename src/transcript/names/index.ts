/** Finds the names that speakers introduce themselves with. */
export { introducedName } from './introduced-name.js';

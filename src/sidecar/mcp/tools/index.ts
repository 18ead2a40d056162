/** The tools, one file a group, and the list of all. */
export { allTools } from './all-tools.js';

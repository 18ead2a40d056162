/** The tools of assistants, with one file for each group. */
export { allTools } from './all-tools.js';

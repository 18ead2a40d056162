/** The tools that assistants call, with one file for each group. */
export { allTools } from './all-tools.js';

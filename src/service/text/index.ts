/** Runs the built-in rules on users' texts in two separate threads. */
export { type ReadJson, readJson } from './read-json.js';
export { rulesHere, type TextRules } from './text-rules.js';
export { createTextThread, type TextThread } from './text-thread.js';

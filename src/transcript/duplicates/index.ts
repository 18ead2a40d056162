/** Finds the words that two recordings of the same speech have in common. */
export { type TimedText, timedWords } from './timed-words.js';
export { type KeptText, withoutDuplicates } from './without-duplicates.js';

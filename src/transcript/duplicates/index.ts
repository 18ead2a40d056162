/** Finds the words that two recordings have in common. */
export { type TimedText, timedWords } from './timed-words.js';
export { type KeptText, withoutDuplicates } from './without-duplicates.js';

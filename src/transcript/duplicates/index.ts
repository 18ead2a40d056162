/** Finds words that occur in both of two recordings. */
export { type TimedText, timedWords } from './timed-words.js';
export { type KeptText, withoutDuplicates } from './without-duplicates.js';

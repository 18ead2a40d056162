export { type Duplicates, findDuplicates } from './find-duplicates.js';
export { type TimedText, type TimedWord, timedWords } from './timed-words.js';
export { type Compared, type KeptText, withoutDuplicates } from './without-duplicates.js';

/** Finds dates and clock times in sentences. */
export { durationsIn } from './durations.js';
export { chosenMoment, periodsIn, withoutDates } from './find-dates.js';
export { type Mention, mentionsIn, type Said } from './mentions.js';
export { numberWord } from './numbers.js';

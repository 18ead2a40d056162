/** Converts days and times of a request to moments, in the user's time zone. */
export { daysOf, type GivenTime, LocalDay, momentsOf, settledTimes, timesOf } from './given-times.js';

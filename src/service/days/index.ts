/** Resolves the days and times that a caller gives, in the user's zone. */
export { daysOf, type GivenTime, LocalDay, momentsOf, settledTimes, timesOf } from './given-times.js';

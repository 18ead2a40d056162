/** Converts the days and times in requests to moments in the user's time zone. */
export { daysOf, type GivenTime, LocalDay, momentsOf, settledTimes, timesOf } from './given-times.js';

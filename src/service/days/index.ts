export { daysOf, type GivenTime, LocalDay, settledTimes, timesOf } from './given-times.js';

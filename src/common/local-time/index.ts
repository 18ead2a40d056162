/** Converts between moments and the clock times of a time zone. */
export { dayBounds, dayStarts, localDay, localTime, momentAt, offsetAt } from './local-time.js';

/** Days and times of the clocks in a time zone, and the moments that they mean. */
export { dayBounds, dayStarts, localDay, localTime, momentAt, offsetAt } from './local-time.js';

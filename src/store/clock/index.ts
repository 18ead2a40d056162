/** The wall clock of a process, corrected by the clock of the database. */
export { DatabaseClock } from './database-clock.js';
export type { ProcessClocks } from './measure-offset.js';

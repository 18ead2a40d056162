/** How requests share the connections to the database. */
export { FairTurns } from './fair-turns.js';

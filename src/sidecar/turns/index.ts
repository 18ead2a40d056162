/** How requests share this thread and the connections to the database. */
export { FairTurns } from './fair-turns.js';
export { BodyTurn, LongBodies, RequestLeft } from './long-bodies.js';

/** Shares this thread and the database connections among requests. */
export { FairTurns } from './fair-turns.js';
export { BodyTurn, LongBodies, RequestLeft } from './long-bodies.js';

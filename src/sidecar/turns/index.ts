/** Decides which requests run next, so that users share the sidecar's thread and database connections. */
export { FairTurns } from './fair-turns.js';
export { BodyTurn, LongBodies, RequestLeft } from './long-bodies.js';

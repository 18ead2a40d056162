/** Connects an engine with the other engines of its fleet: bus, streams, and limits over all engines. */
export { openFleet } from './open-fleet.js';

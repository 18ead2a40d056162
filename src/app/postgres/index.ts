/**
 * The embedded PostgreSQL server: its binaries and folder, its start and stop, and servers that a crash left
 * behind.
 */
export { ensureReachable, findPostgresPackage, requireReachable } from './binaries.js';
export { type EmbeddedPostgres, hasDatabase, startEmbeddedPostgres } from './embedded-postgres.js';
export { readRunState, removeRunState, writeRunState } from './run-state.js';

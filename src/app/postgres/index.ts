/** The embedded PostgreSQL server: its binaries, folder, start, stop and orphans. */
export { ensureReachable, findPostgresPackage, requireReachable } from './binaries.js';
export { type EmbeddedPostgres, hasDatabase, startEmbeddedPostgres } from './embedded-postgres.js';
export { readRunState, removeRunState, writeRunState } from './run-state.js';

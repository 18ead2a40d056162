export { ensureReachable, findPostgresPackage, requireReachable } from './binaries.js';
export { type EmbeddedPostgres, hasDatabase, startEmbeddedPostgres } from './embedded-postgres.js';
export { readRunState, removeRunState, writeRunState } from './run-state.js';

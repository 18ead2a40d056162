/** Connections of the operator's commands to the database: which one, how many, whether it is needed. */
export { checkConnections, requireConnections } from './check-connections.js';
export { withDatabase } from './operator-database.js';
export { requireDatabaseUrl } from './require-database.js';

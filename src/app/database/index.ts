export { checkConnections, requireConnections } from './check-connections.js';
export { withDatabase } from './operator-database.js';
export { requireDatabaseUrl } from './require-database.js';

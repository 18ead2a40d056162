/** Database connections of operators' commands: choice of the database, and checks of its connections. */
export { checkConnections, requireConnections } from './check-connections.js';
export { withDatabase } from './operator-database.js';
export { requireDatabaseUrl } from './require-database.js';

/** Database connections of operators' commands: chooses the database, and checks how many connections it allows. */
export { checkConnections, requireConnections } from './check-connections.js';
export { withDatabase } from './operator-database.js';
export { requireDatabaseUrl } from './require-database.js';

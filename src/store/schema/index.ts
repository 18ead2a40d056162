/** Brings the schema up to date. */
export { migrate } from './migrate.js';
export { identifies, type OwnedTable, ownedTables } from './owned-tables.js';

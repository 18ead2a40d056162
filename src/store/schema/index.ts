/** Migrates the schema to the current version. */
export { migrate } from './migrate.js';
export { identifies, type OwnedTable, ownedTables } from './owned-tables.js';

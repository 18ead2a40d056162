/** Reads lines of JSON that continue after a lost connection. Uses no part of a page. */
export { Everything, type EverythingOptions, type ExportState } from './everything.js';

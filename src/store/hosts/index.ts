/** Finds the server that takes writes among the hosts of a database address. */
export { PrimaryHost } from './primary-host.js';

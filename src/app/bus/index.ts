/** Files with the credentials of the bus, for the operator. */
export { openSeed } from './seed-files.js';

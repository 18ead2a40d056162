/** Standard streams, failures and exit codes of `cochlea-user`. */
export { exitCodes, type Outcome } from './exit-codes.js';
export { CommandFailure, refused } from './failure.js';
export { type Io, readAll, write } from './io.js';

/** The registry of errors, each with a code, a message and a remedy. */
export { asError, CochleaError, type ErrorDetails, reasonOf } from './cochlea-error.js';
export { errorFields } from './error-fields.js';
export { listenError } from './listen-error.js';
export { type ErrorCode, errorRegistry } from './registry.js';

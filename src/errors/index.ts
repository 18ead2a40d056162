/** The registry of errors, with codes and remedies. */
export { asError, CochleaError, type ErrorDetails, reasonOf } from './cochlea-error.js';
export { errorFields } from './error-fields.js';
export { listenError } from './listen-error.js';
export { type ErrorCode, errorRegistry } from './registry.js';

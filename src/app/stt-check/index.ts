/** Checks a custom speech service with the sample speech. */
export { checkService } from './check.js';

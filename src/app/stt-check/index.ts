/** Checks a speech service of one's own against the sample speech. */
export { checkService } from './check.js';

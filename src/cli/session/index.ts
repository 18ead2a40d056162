/** The session of a running command: configuration, credential and API client. */
export { type GlobalOptions, Session } from './session.js';

/** The session of a running command: its configuration, credential and REST client. */
export { type GlobalOptions, Session } from './session.js';

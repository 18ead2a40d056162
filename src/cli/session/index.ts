/** The run of a command: settings, credential and client. */
export { type GlobalOptions, Session } from './session.js';

export { type GlobalOptions, Session } from './session.js';

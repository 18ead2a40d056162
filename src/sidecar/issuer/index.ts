/** Pages and requests of the built-in sign-in. */
export { installIssuer } from './install.js';

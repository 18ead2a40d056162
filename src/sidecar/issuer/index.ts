/** Pages of the built-in sign-in, their forms, and the requests handed to the provider. */
export { installIssuer } from './install.js';

/** Pages of the built-in sign-in, their forms, and the requests for oidc-provider. */
export { installIssuer } from './install.js';

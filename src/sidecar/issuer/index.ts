/** The pages of the built-in sign-in, their forms, and the requests that oidc-provider handles. */
export { installIssuer } from './install.js';

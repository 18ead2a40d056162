/** The pages of the built-in sign-in, their forms, and the requests that oidc-provider handles. */
export { html, page, styleSheet } from './html.js';
export { addressLimit, createIssuer, installIssuer } from './install.js';
export { endSignIn } from './signed-in.js';

/** Credentials of a sign-in: the ID token and the developer key created with it. */
export { IdTokenCredential } from './id-token-credential.js';
export { SignedInKey } from './signed-in-key.js';
export { requestTokens, revokeSignIn, withTokens } from './token-request.js';

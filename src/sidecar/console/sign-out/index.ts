/** Sign-out together with the operator's own issuer: begun at the console, or begun at the issuer. */
export { installIssuerLogout } from './issuer-logout.js';
export { installReturn, leaveFor } from './leave-for-issuer.js';

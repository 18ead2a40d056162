/**
 * The built-in sign-in without its pages: OpenID provider, accounts, passwords, redirects, mail, and detection of ended
 * requests. Also the sign-in of the console at the operator's own issuer.
 */
export { Accounts } from './accounts.js';
export {
  accessTokenPrefix,
  assistantScopes,
  assistantsOf,
  consoleClient,
  consoleSignedInPath,
  consoleSignedOutPath,
  firstPartyClients,
  interactionPath,
  ownClient,
  pageClient,
  scopesOfAssistant,
  signedInPath,
} from './clients.js';
export { canonicalEmail } from './email-address.js';
export { Issuer } from './issuer.js';
export { knownBrowser, knownBrowserCookie, rememberedBrowser } from './known-browsers.js';
export { createMailer } from './mail.js';
export { type ConfirmedSignIn, OutsideIssuer, type SignInValues } from './outside-issuer.js';
export { passwordLength } from './passwords.js';
export { untilEnd } from './request-end.js';
export { developerScopeSentences, scopeSentences, sentenceOf } from './scope-sentences.js';
export { Upstreams, upstreamCallback } from './upstreams.js';

export { Accounts } from './accounts.js';
export {
  accessTokenPrefix,
  assistantResource,
  assistantScopes,
  assistantsOf,
  canonicalResource,
  interactionPath,
  ownClient,
  pageClient,
  signedInPath,
} from './clients.js';
export { canonicalEmail } from './email-address.js';
export { Issuer } from './issuer.js';
export { knownBrowser, knownBrowserCookie, rememberedBrowser } from './known-browsers.js';
export { createMailer } from './mail.js';
export { passwordLength } from './passwords.js';
export { recordHash } from './record-hash.js';
export { untilEnd } from './request-end.js';
export { type DataKind, dataKinds, scopeMeanings, scopeSentences, sentenceOf } from './scope-sentences.js';
export { Upstreams, upstreamCallback } from './upstreams.js';

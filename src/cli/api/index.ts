/** Requests of `cochlea-user` to the service: connection, answers, pages, retries. */
export { answered, answeredList, failureOf, type Result } from './answered.js';
export { recordById } from './by-id.js';
export { brokenOff, chatEvents } from './chat-events.js';
export { type Credential, fixedCredential } from './credential.js';
export { listed, type PageQuery } from './pages.js';
export { sendThroughProxy } from './proxied-fetch.js';
export { transport } from './transport.js';

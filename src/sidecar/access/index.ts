/** Authenticates requests: credentials, answers to missing credentials, origins of web pages. */
export {
  type Access,
  assistant,
  type CredentialCase,
  credentialCases,
  developerKey,
  developerKeyOrIdToken,
  entry,
  firstParty,
  keyOwner,
  open,
  sessionReads,
  sessionWrites,
} from './access.js';
export {
  type Authenticated,
  type Authentication,
  type Caller,
  createAuthentication,
  mayUse,
} from './authentication.js';
export { accessChallenge, metadataPath } from './challenge.js';
export {
  begunSession,
  cookieName,
  cookieOf,
  endedSession,
  sessionCookie,
  sessionOf,
  writtenCookie,
} from './console-cookie.js';
export { type ConsoleCheck, consoleCheck, consoleHeader, serviceOrigin } from './console-requests.js';
export { originCheck } from './origins.js';
export { ownData } from './own-data.js';
export { type AuthenticateSession, createSessionAuthentication } from './session-authentication.js';

/** Authenticates requests: credentials, answers to missing credentials, origins of web pages. */
export {
  type Access,
  assistant,
  type CredentialCase,
  credentialCases,
  developerKey,
  developerKeyOrIdToken,
  firstParty,
  keyOwner,
  open,
} from './access.js';
export {
  type Authenticated,
  type Authentication,
  type Caller,
  createAuthentication,
  mayUse,
} from './authentication.js';
export { accessChallenge, metadataPath } from './challenge.js';
export { originCheck } from './origins.js';
export { ownData } from './own-data.js';

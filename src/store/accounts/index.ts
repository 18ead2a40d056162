/** Statements for accounts, keys, grants of assistants, sign-in records and counters of rate limits. */
export {
  accountChannel,
  beginDeletion,
  isDeletedAccount,
  isDeletionFinished,
  removeSome,
  uidHash,
} from './account-deletions.js';
export {
  addressOf,
  findAccountByEmail,
  findExpectedUser,
  findLink,
  setPassword,
  storeLink,
} from './accounts.js';
export {
  type ApiKeyRow,
  apiKeysOf,
  insertApiKey,
  type KeyFamily,
  replaceSecret,
  revokeApiKeyRow,
  sweepRevokedKeys,
  useApiKey,
} from './api-keys.js';
export {
  type ConsoleBrowserRow,
  type ConsoleSessionRow,
  consoleBrowsersOf,
  endConsoleBefore,
  endConsoleBrowser,
  endConsoleBrowsers,
  endConsoleSession,
  endIssuerSession,
  findConsoleLink,
  longestConsoleSession,
  openConsoleSession,
  openConsoleSessionByLink,
  storeConsoleLink,
  sweepConsoleSessions,
  useConsoleSession,
} from './console-sessions.js';
export {
  confirmDeletions,
  seePlace,
  type UnconfirmedDeletions,
  unconfirmedDeletions,
} from './deletion-places.js';
export {
  endSession,
  type GrantRow,
  grantsOf,
  liveGrantOf,
  revokeGrant,
  type SessionRow,
  sessionsOf,
  signOutEverywhere,
  useAccessToken,
} from './grants.js';
export {
  consumeRecord,
  type FoundRecord,
  findRecord,
  findSession,
  passwordProof,
  removeGrant,
  removeOfGrant,
  removeRecord,
  storeRecord,
  sweepIssuerRecords,
  trimGrant,
  trimSessions,
} from './issuer-records.js';
export {
  type CountedKey,
  type KeyWork,
  keyHasScope,
  readingWork,
  useCountedKey,
  writingWork,
} from './key-statements.js';
export {
  type Counted,
  type CountedTogether,
  type CountedUser,
  countedTogether,
  countMore,
  countRequest,
  countSpent,
  fullFor,
  type RateWindow,
  removeEndedWindows,
  uncountRequest,
  useCountedUser,
} from './rate-windows.js';
export {
  publicKeys,
  replacePrivateKey,
  replaceSigningKey,
  type SigningKeyRow,
  type SigningKeyState,
  signingKey,
  signingKeyStates,
} from './signing-keys.js';
export { recordEndedSession, sessionsEndedSince } from './tool-sessions.js';
export {
  recordToolStream,
  removeToolStreams,
  renewToolStreams,
  type StreamMessage,
  sendToToolStream,
  takeToolStreamMessages,
  toolStreamChannel,
} from './tool-streams.js';
export { type UpstreamIdentity, userOfIdentity } from './upstream-identities.js';
export { findUser, insertUser, tokenFloors, type UserRow, usersNamed } from './users.js';

/** Identifies callers: ID tokens, API keys, scopes, client addresses. */
export {
  type ApiKey,
  acceptedKey,
  createApiKey,
  familyOf,
  findCountedKey,
  hashOfToken,
  listApiKeys,
  longestName,
  revokeApiKey,
  rotateApiKey,
} from './api-keys.js';
export { assistantResource, canonicalResource, toolServerPathOf } from './assistant-resource.js';
export { verifyAssistantToken } from './assistant-tokens.js';
export { bearerToken } from './bearer.js';
export { type ClientAddress, ClientAddresses } from './client-address.js';
export {
  beginConsoleSession,
  createConsoleLink,
  endAtIssuer,
  enterConsole,
  findConsoleSession,
  leaveConsole,
  type OpenedSession,
  readConsoleLink,
} from './console-sessions.js';
export { authorizationServer, hasConsoleClient, hasExternalIssuer } from './external-issuer.js';
export { derivedKey, issuerSecret } from './issuer-secret.js';
export { createLogoutCheck } from './logout-token.js';
export { RateLimit } from './rate-limit.js';
export { type DeveloperScope, defaultScopesOf, developerScopes, type McpScope, scopesOf } from './scopes.js';
export {
  builtInJwks,
  currentSigningKey,
  issueIdToken,
  issueStreamToken,
  rotateSigningKey,
  type SigningKey,
  tokenAudience,
} from './token-issuer.js';
export {
  type AccessVerifier,
  connectIdentity,
  createTokenVerifier,
  type TokenVerifier,
  type VerifiedAccess,
  type VerifiedToken,
  validUid,
} from './token-verifier.js';
export { createUser } from './users.js';

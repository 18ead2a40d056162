export {
  type ApiKey,
  type ApiKeyRequest,
  createApiKey,
  familyOf,
  type KeyFamily,
  keyPrefix,
  listApiKeys,
  revokeApiKey,
  verifyApiKey,
} from './api-keys.js';
export { bearerToken } from './bearer.js';
export { type ClientAddress, ClientAddresses } from './client-address.js';
export { RateLimit } from './rate-limit.js';
export { type DeveloperScope, defaultScopes, developerScopes } from './scopes.js';
export { builtInIssuer, builtInJwks, issueIdToken, publicAddress, tokenAudience } from './token-issuer.js';
export { within } from './token-keys.js';
export {
  createTokenVerifier,
  type TokenVerifier,
  type TokenVerifierOptions,
  type VerifiedToken,
  validUid,
} from './token-verifier.js';
export { createUser, findUser, type UserRequest, type UserRow } from './users.js';

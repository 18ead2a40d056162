import type { JWTPayload } from 'jose';
import type { Settings } from '../config/index.js';
import { canonicalResource } from './assistant-resource.js';
import { mcpScopes } from './scopes.js';
import { tokenAudience } from './token-issuer.js';

/**
 * Checks whether a token of the operator's own issuer is meant for the tool server. The audience of ID tokens
 * (`tokenAudience`) never counts as the tool server, even if it equals the tool server's address.
 */
export const isForAssistants = (settings: Settings, { aud = [] }: JWTPayload): boolean =>
  [aud].flat().some((name) => name !== tokenAudience(settings) && canonicalResource(settings, name) !== null);

const words = (claim: unknown): unknown[] =>
  typeof claim === 'string' ? claim.split(/\s+/) : Array.isArray(claim) ? claim : [];

/** Returns the known scopes of an access token, from the claim `scope` (RFC 9068) or `scp`. */
export const scopesOfClaims = ({ scope, scp }: JWTPayload): readonly string[] => {
  const named = new Set(words(scope ?? scp));
  return mcpScopes.filter((known) => named.has(known));
};

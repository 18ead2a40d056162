import type { JWTPayload } from 'jose';
import type { Settings } from '../config/index.js';
import { canonicalResource } from './assistant-resource.js';
import { mcpScopes } from './scopes.js';
import { tokenAudience } from './token-issuer.js';

/**
 * Returns whether a token of the operator's own issuer is for the tool server. The audience of ID tokens never counts as the tool
 * server, whatever its configured name.
 */
export const isForAssistants = (settings: Settings, { aud = [] }: JWTPayload): boolean =>
  [aud].flat().some((name) => name !== tokenAudience(settings) && canonicalResource(settings, name) !== null);

const words = (claim: unknown): unknown[] =>
  typeof claim === 'string' ? claim.split(/\s+/) : Array.isArray(claim) ? claim : [];

/** Known scopes of an access token, from `scope` (RFC 9068) or `scp`. */
export const scopesOfClaims = ({ scope, scp }: JWTPayload): readonly string[] => {
  const named = new Set(words(scope ?? scp));
  return mcpScopes.filter((known) => named.has(known));
};

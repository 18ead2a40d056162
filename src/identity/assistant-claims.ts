import type { JWTPayload } from 'jose';
import type { Settings } from '../config/index.js';
import { canonicalResource } from './assistant-resource.js';
import { mcpScopes } from './scopes.js';
import { tokenAudience } from './token-issuer.js';

/**
 * Whether a token of the operator's own issuer is made for the tool server. The audience of ID tokens never counts as the tool server,
 * whatever the operator has named it.
 */
export const isForAssistants = (settings: Settings, { aud = [] }: JWTPayload): boolean =>
  [aud].flat().some((name) => name !== tokenAudience(settings) && canonicalResource(settings, name) !== null);

const words = (claim: unknown): unknown[] =>
  typeof claim === 'string' ? claim.split(/\s+/) : Array.isArray(claim) ? claim : [];

/** The scopes of an access token: those of its `scope` (RFC 9068), or of `scp`, that there are here. */
export const scopesOfClaims = ({ scope, scp }: JWTPayload): readonly string[] => {
  const named = new Set(words(scope ?? scp));
  return mcpScopes.filter((known) => named.has(known));
};

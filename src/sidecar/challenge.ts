import type { Settings } from '../config/index.js';
import { publicAddress } from '../identity/index.js';

/** The value of `WWW-Authenticate` that tells an assistant where to ask for access (RFC 9728, 5.1). */
export const accessChallenge = (settings: Settings, error: string, scope: string | null): string =>
  [
    `Bearer resource_metadata="${publicAddress(settings)}/.well-known/oauth-protected-resource/v1/mcp/sse"`,
    ...(error === '' ? [] : [`error="${error}"`]),
    ...(scope === null ? [] : [`scope="${scope}"`]),
  ].join(', ');

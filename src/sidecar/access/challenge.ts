import { publicAddress, type Settings } from '../../config/index.js';
import { authorizationServer } from '../../identity/index.js';
import type { ToolServerPath } from '../../wire/index.js';

/** Returns the path of the metadata of a protected resource (RFC 9728, 3.1). */
export const metadataPath = (resource: string): string => `/.well-known/oauth-protected-resource${resource}`;

/**
 * Returns the `WWW-Authenticate` value that tells an assistant where to request access (RFC 9728, 5.1). Omits the
 * metadata if the operator's own issuer has no address, because then no issuer can grant access.
 * @param at the requested tool server address. The metadata must name this address.
 */
export const accessChallenge = (
  settings: Settings,
  at: ToolServerPath,
  error: string,
  scope: string | null,
): string => {
  const parameters = [
    ...(authorizationServer(settings) === null
      ? []
      : [`resource_metadata="${publicAddress(settings)}${metadataPath(at)}"`]),
    ...(error === '' ? [] : [`error="${error}"`]),
    ...(scope === null ? [] : [`scope="${scope}"`]),
  ].join(', ');
  return parameters === '' ? 'Bearer' : `Bearer ${parameters}`;
};

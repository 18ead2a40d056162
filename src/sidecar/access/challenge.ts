import { publicAddress, type Settings } from '../../config/index.js';
import { authorizationServer } from '../../identity/index.js';
import type { ToolServerPath } from '../../wire/index.js';

/** Where the metadata of a protected resource is served (RFC 9728, 3.1). */
export const metadataPath = (resource: string): string => `/.well-known/oauth-protected-resource${resource}`;

/**
 * The value of `WWW-Authenticate` that tells an assistant where to ask for access (RFC 9728, 5.1). It names no metadata where there is
 * nothing to ask: with an issuer of the operator's own that has no address.
 * @param at the address of the tool server that was asked: its metadata has to name just this one.
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

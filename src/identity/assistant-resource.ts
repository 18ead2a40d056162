import { publicAddress, type Settings } from '../config/index.js';
import { type ToolServerPath, toolServerPaths } from '../wire/index.js';

type Addressed = Pick<Settings, 'host' | 'port' | 'publicUrl' | 'tlsCert'>;

/**
 * Returns the path of the tool server that the metadata address in an answer names. This is the requested path, or
 * `/v1/mcp/sse` if the request was for another route.
 */
export const toolServerPathOf = (route: string | undefined): ToolServerPath =>
  toolServerPaths.find((path) => path === route) ?? '/v1/mcp/sse';

/** Returns the resource identifier of assistants' access tokens, in canonical form. */
export const assistantResource = (settings: Addressed): string => `${publicAddress(settings)}/v1/mcp/sse`;

/**
 * Recognises the names that clients may use for the resource (RFC 8707): an address of the tool server, PUBLIC_URL, or
 * the origin of PUBLIC_URL. Each may have a trailing slash. All these names mean the same resource.
 * @returns the canonical form; null for another resource.
 */
export const canonicalResource = (settings: Addressed, given: string): string | null => {
  const base = publicAddress(settings);
  if (/[?#\\\s]/.test(given) || !URL.canParse(given)) return null;
  const { href, username, password } = new URL(given);
  if (username !== '' || password !== '') return null;
  const own = [...toolServerPaths, '', '/'].map((path) => `${base}${path}`);
  const spelled = [...own, new URL(base).origin].map((address) => new URL(address).href);
  return spelled.includes(href) ? assistantResource(settings) : null;
};

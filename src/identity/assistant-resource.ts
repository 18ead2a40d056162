import { publicAddress, type Settings } from '../config/index.js';
import { type ToolServerPath, toolServerPaths } from '../wire/index.js';

type Addressed = Pick<Settings, 'host' | 'port' | 'publicUrl' | 'tlsCert'>;

/**
 * Returns the path of the tool server for the address of metadata in an answer. This is the requested path, or
 * `/v1/mcp/sse` if the request was not for the tool server.
 */
export const toolServerPathOf = (route: string | undefined): ToolServerPath =>
  toolServerPaths.find((path) => path === route) ?? '/v1/mcp/sse';

/** Returns the resource identifier of assistants' access tokens, in canonical form. */
export const assistantResource = (settings: Addressed): string => `${publicAddress(settings)}/v1/mcp/sse`;

/**
 * Converts a name that a client uses for the tool server as a resource (RFC 8707) to the canonical form. Accepted names
 * are an address of the tool server, PUBLIC_URL, and the origin of PUBLIC_URL, each with or without a trailing slash.
 * @returns the canonical form; null for any other resource.
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

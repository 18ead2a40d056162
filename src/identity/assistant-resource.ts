import { publicAddress, type Settings } from '../config/index.js';
import { type ToolServerPath, toolServerPaths } from '../wire/index.js';

type Addressed = Pick<Settings, 'host' | 'port' | 'publicUrl' | 'tlsCert'>;

/** The path of the tool server whose metadata a request is told: the one that it names, or the longer one for other routes. */
export const toolServerPathOf = (route: string | undefined): ToolServerPath =>
  toolServerPaths.find((path) => path === route) ?? '/v1/mcp/sse';

/** The resource that access tokens of assistants open, in its canonical form. */
export const assistantResource = (settings: Addressed): string => `${publicAddress(settings)}/v1/mcp/sse`;

/**
 * The resource as clients may name it (RFC 8707): an address of the tool server, PUBLIC_URL, or its origin, each also with a slash at
 * its end. They are one.
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

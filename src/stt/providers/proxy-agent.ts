import type { Agent } from 'node:http';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { getProxyForUrl } from 'proxy-from-env';

/**
 * Returns an agent that connects through the proxy that the environment names for an address. HTTPS_PROXY applies to
 * `wss:`, HTTP_PROXY to `ws:`, and NO_PROXY lists excluded hosts. A proxy is always used with a tunnel, because a
 * WebSocket cannot be relayed otherwise.
 * @returns undefined if no proxy is named.
 */
export const proxyAgent = (url: URL): Agent | undefined => {
  const proxy = getProxyForUrl(url.href.replace(/^ws/, 'http'));
  return proxy === '' ? undefined : new HttpsProxyAgent(proxy);
};

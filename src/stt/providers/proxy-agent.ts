import type { Agent } from 'node:http';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { getProxyForUrl } from 'proxy-from-env';

/**
 * An agent that connects through the proxy that the environment names for an address. HTTPS_PROXY is for `wss:` and
 * HTTP_PROXY for `ws:`; NO_PROXY lists excluded hosts. Both use a tunnel, because a WebSocket cannot be relayed
 * otherwise.
 * @returns undefined when no proxy is named.
 */
export const proxyAgent = (url: URL): Agent | undefined => {
  const proxy = getProxyForUrl(url.href.replace(/^ws/, 'http'));
  return proxy === '' ? undefined : new HttpsProxyAgent(proxy);
};

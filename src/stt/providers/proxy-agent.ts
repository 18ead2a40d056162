import type { Agent } from 'node:http';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { getProxyForUrl } from 'proxy-from-env';

/**
 * What connects through the proxy that the environment names for an address: HTTPS_PROXY for `wss:`, HTTP_PROXY for `ws:`, unless
 * NO_PROXY has its host. A tunnel is used for both, because a WebSocket cannot be relayed otherwise.
 * @returns undefined where no proxy is named.
 */
export const proxyAgent = (url: URL): Agent | undefined => {
  const proxy = getProxyForUrl(url.href.replace(/^ws/, 'http'));
  return proxy === '' ? undefined : new HttpsProxyAgent(proxy);
};

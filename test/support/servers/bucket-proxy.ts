/** A proxy in front of an S3 server. It reports every step of a request, and can be unavailable. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface Teardown {
  teardown(action: () => unknown): unknown;
}

/**
 * Steps of a request. `asked`: the request reached the proxy, but not yet the server. `stored`: the server has
 * answered, but the client has not received the answer. `told`: the client has received the answer.
 */
export type BucketStep = 'asked' | 'stored' | 'told';

export interface BucketProxy {
  /** Address with the bucket and the prefix of the server. */
  readonly url: string;
  /**
   * All requests in order. `bytes` is the length of the request's body, and `answered` is the length of the answer's
   * body.
   */
  readonly requests: { readonly method: string; readonly bytes: number; readonly answered: number }[];
  /** Called at every step of a request with this method. */
  onStep: (step: BucketStep, method: string) => void;
  /** Whether connections are closed without an answer. */
  away: boolean;
}

/** Starts a proxy for the bucket at `url`. It ends with the test. */
export const startBucketProxy = async (t: Teardown, url: string): Promise<BucketProxy> => {
  const target = new URL(url);
  const requests: BucketProxy['requests'] = [];
  const server = createServer(async (incoming, outgoing) => {
    if (proxy.away) return void incoming.destroy();
    try {
      const { method = '', url: path, headers } = incoming;
      const body = await buffer(incoming);
      proxy.onStep('asked', method);
      // Passes the header `Host` on unchanged, because the signature covers it.
      const forward = request({ host: target.hostname, port: target.port, method, path, headers });
      forward.end(body);
      const [answer] = await once(forward, 'response');
      const bytes = await buffer(answer);
      proxy.onStep('stored', method);
      requests.push({ method, bytes: body.length, answered: bytes.length });
      outgoing.writeHead(answer.statusCode, answer.headers).end(bytes, () => proxy.onStep('told', method));
    } catch {
      outgoing.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const proxy: BucketProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${target.pathname}`,
    requests,
    onStep: () => undefined,
    away: false,
  };
  return proxy;
};

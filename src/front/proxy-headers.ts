import type uws from 'uWebSockets.js';

/** Headers that concern one connection only (RFC 9110, 7.6.1), and what the front answers itself. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const loopback = /^(127\.|::1$|0000:0000:0000:0000:0000:0000:0000:0001$|0000:0000:0000:0000:0000:ffff:7f)/;

const namedIn = (connection: string | undefined): Set<string> =>
  new Set((connection ?? '').split(',').map((name) => name.trim().toLowerCase()));

/** What the sidecar is told about a request. */
export interface ForwardedRequest {
  readonly method: string;
  /** Path and query, as received. */
  readonly path: string;
  readonly headers: Record<string, string | string[]>;
  /** Bytes of body announced; NaN without an announcement (none, or chunked). */
  readonly announced: number;
}

/**
 * Copies a request for the sidecar. `X-Forwarded-*` of a client is believed only from this machine (a reverse proxy in
 * front of the listener); from anywhere else it is replaced.
 * @param publicUrl base address clients use, or empty.
 */
export const forwardedRequest = (
  request: uws.HttpRequest,
  remoteAddress: string,
  publicUrl: string,
): ForwardedRequest => {
  const received: Record<string, string | string[]> = Object.create(null);
  request.forEach((name, value) => {
    const earlier = received[name];
    received[name] = earlier === undefined ? value : [...[earlier].flat(), value];
  });
  const first = (name: string): string | undefined => [received[name]].flat()[0];
  const dropped = namedIn(first('connection'));
  const headers: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of Object.entries(received)) {
    // The listener has no way to answer 100, so the expectation is not passed on either.
    if (!hopByHop.has(name) && !dropped.has(name) && name !== 'expect') headers[name] = value;
  }
  const trusted = loopback.test(remoteAddress);
  const chain = trusted ? first('x-forwarded-for') : undefined;
  const scheme = publicUrl.startsWith('https:') ? 'https' : 'http';
  headers['x-forwarded-for'] = chain === undefined ? remoteAddress : `${chain}, ${remoteAddress}`;
  headers['x-forwarded-proto'] = (trusted ? first('x-forwarded-proto') : undefined) ?? scheme;
  headers['x-forwarded-host'] =
    (trusted ? first('x-forwarded-host') : undefined) ?? first('host') ?? 'localhost';
  const method = request.getMethod().toUpperCase();
  const chunked = first('transfer-encoding') !== undefined;
  if (chunked) {
    delete headers['content-length'];
    headers['transfer-encoding'] = 'chunked';
  }
  const length = chunked ? undefined : first('content-length');
  const query = request.getQuery() ?? '';
  return {
    method,
    path: query === '' ? request.getUrl() : `${request.getUrl()}?${query}`,
    headers,
    announced: length === undefined ? Number.NaN : Number(length),
  };
};

/** Headers of the sidecar's answer that go to the client, as name and value pairs. */
export const answeredHeaders = (rawHeaders: readonly string[]): [string, string][] => {
  const pairs: [string, string][] = [];
  let connection = '';
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.toLowerCase() === 'connection') connection = rawHeaders[index + 1]!;
    pairs.push([name, rawHeaders[index + 1]!]);
  }
  const dropped = namedIn(connection);
  return pairs.filter(([name]) => {
    const lower = name.toLowerCase();
    // The listener writes its own length, from what it is given.
    return !hopByHop.has(lower) && !dropped.has(lower) && lower !== 'content-length';
  });
};

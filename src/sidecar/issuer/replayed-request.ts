import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

export interface Replayed {
  /** Path and query of the request. */
  readonly url: string;
  /** Body of the request, sent form-encoded. Absent: the request has no body. */
  readonly body?: URLSearchParams;
  /** Whether to omit the `Authorization` header. */
  readonly withoutAuthorization?: boolean;
}

/**
 * Rebuilds a request for oidc-provider with a changed address and body. oidc-provider reads bodies from the
 * request's stream, but the stream of the original request has already been read.
 */
export const replayedRequest = (
  original: IncomingMessage,
  { url, body, withoutAuthorization = false }: Replayed,
): IncomingMessage => {
  const bytes = Buffer.from(body?.toString() ?? '');
  const { authorization, ...headers } = original.headers;
  delete headers['transfer-encoding'];
  delete headers['content-length'];
  if (body) {
    headers['content-type'] = 'application/x-www-form-urlencoded';
    headers['content-length'] = String(bytes.length);
  }
  const request = Readable.from(body ? [bytes] : [], { objectMode: false });
  return Object.assign(request, {
    url,
    originalUrl: url,
    method: original.method,
    headers: withoutAuthorization || authorization === undefined ? headers : { ...headers, authorization },
    httpVersion: original.httpVersion,
    httpVersionMajor: original.httpVersionMajor,
    httpVersionMinor: original.httpVersionMinor,
    socket: original.socket,
    complete: true,
  }) as unknown as IncomingMessage;
};

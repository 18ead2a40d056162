import type { ClientAddress } from '../../identity/index.js';
import { holdHeader } from '../../wire/index.js';
import type { HttpRequest } from '../listener/index.js';
import { type BodyFraming, checkFields, framingOf, methodOf, targetOf } from './request-framing.js';

/** Hop-by-hop headers (RFC 9110, 7.6.1), and headers that the front handles or writes itself. They are not copied. */
const notForwarded: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  // The listener cannot pass on `100 Continue` from the sidecar. So the sidecar must not receive the header that
  // requests it.
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const namedIn = (connections: readonly string[]): Set<string> =>
  new Set(connections.flatMap((value) => value.split(',').map((name) => name.trim().toLowerCase())));

/** The parts of a request that are sent to the sidecar. */
export interface ForwardedRequest {
  /** The method in upper case. */
  readonly method: string;
  /** Path and query, as received. */
  readonly path: string;
  /**
   * Alternating names and values. Does not contain headers about the length of the body, because undici writes them
   * from `body`.
   */
  readonly headers: string[];
  readonly body: BodyFraming;
}

/**
 * Converts a header value for undici, which writes each character as one byte. The listener has decoded header bytes as
 * UTF-8.
 */
const asBytes = (value: string): string => Buffer.from(value, 'utf8').toString('latin1');

/**
 * Matches the names of headers that the service or HTTP itself reads. The values of these headers must be valid UTF-8.
 */
const readName =
  /^(accept|content-|if-|mcp-|proxy-|sec-|x-forwarded-|(authorization|connection|cookie|expect|forwarded|host|idempotency-key|keep-alive|last-event-id|origin|range|te|trailer|transfer-encoding|upgrade|via|x-real-ip|x-request-id)$)/;
/** The character that stands for bytes that are not UTF-8. */
const replacement = '\ufffd';

/**
 * Returns the header fields of a request. RFC 9110 permits any byte beyond ASCII in a value, and a device may send its
 * name in Latin-1. Such a field is left out if neither the service nor HTTP reads it.
 * @throws CochleaError bad_request if a header that is read has such a value.
 */
const checkedFields = (request: HttpRequest): [string, string][] => {
  const fields: [string, string][] = [];
  const leftOut: [string, string][] = [];
  request.forEach((name, value) => {
    if (value.includes(replacement) && !readName.test(name))
      leftOut.push([name, value.replaceAll(replacement, '')]);
    else fields.push([name, value]);
  });
  checkFields(leftOut.length === 0 ? fields : [...fields, ...leftOut]);
  return fields;
};

/**
 * Checks a request that the front answers itself.
 * @throws CochleaError bad_request or method_not_allowed for any ambiguous request.
 */
export const checkRequest = (request: HttpRequest): void => {
  framingOf(methodOf(request.getMethod()), checkedFields(request));
};

/**
 * Copies a request for the sidecar. `X-Forwarded-For` contains only the client's address. The other `X-Forwarded-*`
 * headers are copied only if they come from a trusted proxy.
 * @param publicUrl base address that clients use, or at least its scheme.
 * @throws CochleaError bad_request or method_not_allowed for any ambiguous request.
 */
export const forwardedRequest = (
  request: HttpRequest,
  client: ClientAddress,
  publicUrl: string,
): ForwardedRequest => {
  // The fields are checked first, because an ambiguous field can mislead a parser whatever the method is.
  const fields = checkedFields(request);
  const method = methodOf(request.getMethod());
  const path = targetOf(request.getUrl(), request.getQuery() ?? '');
  const body = framingOf(method, fields);
  const first = (wanted: string): string | undefined => fields.find(([name]) => name === wanted)?.[1];
  const claimed = (name: string): string | undefined => (client.trusted ? first(name) : undefined);
  const dropped = namedIn(fields.filter(([name]) => name === 'connection').map(([, value]) => value));
  const headers: string[] = [];
  for (const [name, value] of fields) {
    if (notForwarded.has(name) || dropped.has(name) || name.startsWith('x-forwarded-')) continue;
    headers.push(name, asBytes(value));
  }
  const scheme = publicUrl.startsWith('https:') ? 'https' : 'http';
  headers.push(
    'x-forwarded-for',
    client.address,
    'x-forwarded-proto',
    asBytes(claimed('x-forwarded-proto') ?? scheme),
    'x-forwarded-host',
    asBytes(claimed('x-forwarded-host') ?? first('host')!),
  );
  return { method, path, headers, body };
};

/**
 * Returns the value of a header as the sidecar reads it: several headers with this name are joined (RFC 9110, 5.3).
 * @param headers alternating names and values.
 * @param name in lower case
 * @returns undefined if the header is absent.
 */
export const forwardedValue = (headers: readonly string[], name: string): string | undefined => {
  const values = headers.filter((_, index) => index % 2 === 1 && headers[index - 1] === name);
  return values.length === 0 ? undefined : values.join(', ');
};

/**
 * Returns the headers of the sidecar's answer that the client receives, as name and value pairs. Values are the bytes
 * as received.
 * @param rawHeaders alternating names and values.
 */
export const answeredHeaders = (rawHeaders: readonly Buffer[]): [string, Buffer][] => {
  const pairs: [string, Buffer][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    pairs.push([rawHeaders[index]!.toString('latin1'), rawHeaders[index + 1]!]);
  }
  const dropped = namedIn(
    pairs
      .filter(([name]) => name.toLowerCase() === 'connection')
      .map(([, value]) => value.toString('latin1')),
  );
  return pairs.filter(([name]) => {
    const lower = name.toLowerCase();
    // The listener writes its own date and length, so these headers of the sidecar are left out.
    return lower !== 'date' && lower !== holdHeader && !notForwarded.has(lower) && !dropped.has(lower);
  });
};

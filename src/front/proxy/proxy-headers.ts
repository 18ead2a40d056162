import type { ClientAddress } from '../../identity/index.js';
import { holdHeader } from '../../wire/index.js';
import type { HttpRequest } from '../listener/index.js';
import { type BodyFraming, checkFields, framingOf, methodOf, targetOf } from './request-framing.js';

/** Hop-by-hop headers (RFC 9110, 7.6.1), and headers that the front answers or writes itself. */
const notForwarded: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  // The listener cannot answer 100, so the expectation is not passed on either.
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
  /** In upper case. */
  readonly method: string;
  /** Path and query, as received. */
  readonly path: string;
  /** Alternating names and values. Without framing headers: the upstream client writes those from `body`. */
  readonly headers: string[];
  readonly body: BodyFraming;
}

/** The listener decodes header bytes as UTF-8; the upstream client writes one byte for each character. */
const asBytes = (value: string): string => Buffer.from(value, 'utf8').toString('latin1');

/** Headers that a part of the service, or HTTP itself, reads. Their values have to be UTF-8. */
const readName =
  /^(accept|content-|if-|mcp-|proxy-|sec-|x-forwarded-|(authorization|connection|cookie|expect|forwarded|host|idempotency-key|keep-alive|last-event-id|origin|range|te|trailer|transfer-encoding|upgrade|via|x-real-ip|x-request-id)$)/;
/** Replaces bytes that are not UTF-8. */
const replacement = '\ufffd';

/**
 * The header fields of a request. RFC 9110 permits any byte beyond ASCII in a value, and a device may give its name in
 * Latin-1. Such a field is left out if neither the service nor HTTP reads it.
 * @throws CochleaError bad_request
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
 * Checks a request that is not passed on.
 * @throws CochleaError bad_request or method_not_allowed for any ambiguous request.
 */
export const checkRequest = (request: HttpRequest): void => {
  framingOf(methodOf(request.getMethod()), checkedFields(request));
};

/**
 * Copies a request for the sidecar. `X-Forwarded-For` names only the client; the other `X-Forwarded-*` headers count
 * only from a trusted proxy.
 * @param publicUrl base address that clients use, or at least its scheme.
 * @throws CochleaError bad_request or method_not_allowed for any ambiguous request.
 */
export const forwardedRequest = (
  request: HttpRequest,
  client: ClientAddress,
  publicUrl: string,
): ForwardedRequest => {
  // Checked first, because a header can mislead a parser with any method.
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
 * The value of a header as the sidecar reads it: headers of one name are joined (RFC 9110, 5.3).
 * @param headers alternating names and values. @param name in lower case
 * @returns undefined if there is none.
 */
export const forwardedValue = (headers: readonly string[], name: string): string | undefined => {
  const values = headers.filter((_, index) => index % 2 === 1 && headers[index - 1] === name);
  return values.length === 0 ? undefined : values.join(', ');
};

/**
 * Headers of the sidecar's answer that go to the client, as name and value pairs; values are bytes as received.
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
    // The listener writes its own date and its own length.
    return lower !== 'date' && lower !== holdHeader && !notForwarded.has(lower) && !dropped.has(lower);
  });
};

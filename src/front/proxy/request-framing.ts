import { servedMethods } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';

/**
 * How the end of a request's body is found. The front reads the bytes that the listener delivers and writes new framing
 * for the sidecar. So front and sidecar cannot disagree about the end of a body.
 */
export type BodyFraming =
  | { readonly kind: 'none' }
  /** The body has exactly this many bytes. */
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunked' };

const forwardedMethods: ReadonlySet<string> = new Set(servedMethods);
/** Methods for which a body has no meaning. Requests with such a method and a body are refused. */
const bodilessMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/**
 * Names that a `Connection` header may not list, because listed headers are removed. Without one of these headers, the
 * body would end at a different byte, or the request would have a different target or user.
 */
const notHopByHop: ReadonlySet<string> = new Set([
  'content-length',
  'transfer-encoding',
  'host',
  'authorization',
  'cookie',
  'content-type',
  'content-encoding',
]);
const forwardingName = /^(x-forwarded-|forwarded$|x-real-ip$|via$)/;
const token = /^[a-z0-9!#$%&'*+.^_`|~-]+$/;
/**
 * Matches visible ASCII, blanks, and characters beyond ASCII that were decoded from UTF-8. Excludes U+FFFD, which
 * stands for bytes that are not UTF-8.
 */
const fieldValue = /^[\t\x20-\x7e\u00a0-\ufffc\u{10000}-\u{10ffff}]*$/u;
/**
 * Matches a name, an IPv4 address or an IP literal in brackets, with or without a port (RFC 3986, section 3.2.2). Also
 * matches an empty host.
 */
const hostValue = /^(?:\[[\w.~!$&'()*+,;=:%-]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/;
const visibleAscii = /^[\x21-\x7e]*$/;
const decimal = /^\d{1,15}$/;

const refuse = (why: string): never => {
  throw new CochleaError('bad_request', { why });
};

/**
 * Returns the method of a request in upper case.
 * @throws CochleaError method_not_allowed
 */
export const methodOf = (received: string): string => {
  const method = received.toUpperCase();
  if (!forwardedMethods.has(method)) throw new CochleaError('method_not_allowed');
  return method;
};

/**
 * Returns path and query for the upstream request: origin form in visible ASCII.
 * @throws CochleaError bad_request
 */
export const targetOf = (path: string, query: string): string => {
  if (!path.startsWith('/')) refuse('The request target must be a path');
  const target = query === '' ? path : `${path}?${query}`;
  if (!visibleAscii.test(target)) refuse('The request target must be percent-encoded ASCII');
  return target;
};

/**
 * Refuses header fields that two parsers could read differently.
 * @param fields names in lower case, with values, in the order received.
 * @throws CochleaError bad_request
 */
export const checkFields = (fields: readonly (readonly [name: string, value: string])[]): void => {
  let hosts = 0;
  for (const [name, value] of fields) {
    if (!token.test(name)) refuse('A header name is not valid');
    if (!fieldValue.test(value)) refuse(`The header ${name} is not valid`);
    if (name === 'host') {
      hosts++;
      if (!hostValue.test(value)) refuse('The header host is not valid');
    } else if (name === 'connection') checkConnection(value);
  }
  if (hosts !== 1) refuse('Exactly one Host header is needed');
};

const checkConnection = (value: string): void => {
  for (const listed of value.split(',')) {
    const name = listed.trim().toLowerCase();
    if (notHopByHop.has(name) || forwardingName.test(name)) {
      refuse('The Connection header names an end-to-end header');
    }
  }
};

/**
 * Determines how the end of a request's body is found.
 * @param method in upper case.
 * @param fields names in lower case, with values.
 * @throws CochleaError bad_request if the length is announced twice or is invalid. Also if the request has a body, but
 *   its method permits none.
 */
export const framingOf = (
  method: string,
  fields: readonly (readonly [name: string, value: string])[],
): BodyFraming => {
  const valuesOf = (wanted: string): string[] =>
    fields.filter(([name]) => name === wanted).map(([, value]) => value);
  const encodings = valuesOf('transfer-encoding');
  const lengths = valuesOf('content-length');
  if (encodings.length + lengths.length > 1) refuse('The length of the body is announced more than once');
  const [encoding] = encodings;
  const [length] = lengths;
  // The comparison ignores case instead of using `toLowerCase`, which would turn the Kelvin sign into a k.
  if (encoding !== undefined && !/^chunked$/i.test(encoding)) {
    refuse('Transfer-Encoding must be chunked');
  }
  if (length !== undefined && !decimal.test(length)) refuse('Content-Length is not valid');
  const bytes = Number(length ?? 0);
  if (encoding === undefined && bytes === 0) return { kind: 'none' };
  if (bodilessMethods.has(method)) refuse(`A ${method} request takes no body`);
  return encoding === undefined ? { kind: 'length', bytes } : { kind: 'chunked' };
};

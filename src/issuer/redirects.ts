import { loopbackAddress, type OauthClient } from '../config/lists/index.js';

/** Pattern of a path without characters that a server would decode. */
const plainSegments = /^[\w.~-]+(\/[\w.~-]+)*\/?$/;
const dotSegment = /(^|\/)\.{1,2}(\/|$)/;

const isPlain = (path: string): boolean => plainSegments.test(path) && !dotSegment.test(path);

/**
 * Checks whether an address equals the registered address. The port of a loopback address may differ (RFC 8252, 7.3).
 */
const isRegistered = (registered: string, given: string): boolean => {
  if (registered === given) return true;
  const own = loopbackAddress(registered);
  const other = loopbackAddress(given);
  return own !== null && own.host === other?.host && own.rest === other.rest;
};

/**
 * Checks whether an address begins with a registered prefix. The address must not have a query, a fragment or encoded
 * characters.
 */
const isBelow = (prefix: string, given: string): boolean => {
  if (given.startsWith(prefix)) return isPlain(given.slice(prefix.length));
  const own = loopbackAddress(prefix);
  const other = loopbackAddress(given);
  if (own === null || own.host !== other?.host || !other.rest.startsWith(own.rest)) return false;
  return isPlain(other.rest.slice(own.rest.length));
};

/**
 * Checks whether a redirect URI belongs to a client. The URI must be in the client's list, or begin with one of its
 * prefixes and have no parts such as `..` that lead to a different folder. The port of an http loopback address does
 * not matter, because programs use any free port.
 */
export const redirectAllowed = (
  client: Pick<OauthClient, 'redirect_uris' | 'redirect_prefixes'>,
  given: string,
): boolean =>
  client.redirect_uris.some((registered) => isRegistered(registered, given)) ||
  client.redirect_prefixes.some((prefix) => isBelow(prefix, given));

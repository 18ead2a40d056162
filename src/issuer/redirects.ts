import { loopbackAddress, type OauthClient } from '../config/lists/index.js';

/** Segments of characters that no server decodes. */
const plainSegments = /^[\w.~-]+(\/[\w.~-]+)*\/?$/;
const dotSegment = /(^|\/)\.{1,2}(\/|$)/;

const isPlain = (path: string): boolean => plainSegments.test(path) && !dotSegment.test(path);

/** Whether an address is the registered one: exactly, or on loopback with any port (RFC 8252, 7.3). */
const isRegistered = (registered: string, given: string): boolean => {
  if (registered === given) return true;
  const own = loopbackAddress(registered);
  const other = loopbackAddress(given);
  return own !== null && own.host === other?.host && own.rest === other.rest;
};

/** Whether an address lies below a registered one: of the same host, without query, fragment and encoded characters. */
const isBelow = (prefix: string, given: string): boolean => {
  if (given.startsWith(prefix)) return isPlain(given.slice(prefix.length));
  const own = loopbackAddress(prefix);
  const other = loopbackAddress(given);
  if (own === null || own.host !== other?.host || !other.rest.startsWith(own.rest)) return false;
  return isPlain(other.rest.slice(own.rest.length));
};

/**
 * Whether a redirect URI belongs to a client: one of its list, or something below one of its prefixes that no server could resolve to
 * somewhere else. The port of an http address on loopback does not count, because programs take the one that is free.
 */
export const redirectAllowed = (
  client: Pick<OauthClient, 'redirect_uris' | 'redirect_prefixes'>,
  given: string,
): boolean =>
  client.redirect_uris.some((registered) => isRegistered(registered, given)) ||
  client.redirect_prefixes.some((prefix) => isBelow(prefix, given));

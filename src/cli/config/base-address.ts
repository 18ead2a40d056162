import { refused } from '../terminal/index.js';

/**
 * Normalises the base address of a service for storage and use.
 * @throws CommandFailure `refused` for anything but `http://` or `https://` with a host and an optional path.
 */
export const baseAddress = (given: string): string => {
  const url = URL.canParse(given.trim()) ? new URL(given.trim()) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.hostname === '')
    throw refused(`"${given}" is not an address that begins with https:// or http://`);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw refused('The base address must not contain a user name, "?" or "#"');
  return url.href.replace(/\/+$/, '');
};

/** Checks whether others can read the traffic, because the address is `http://` on another machine. */
export const isExposed = (base: string): boolean => {
  const { protocol, hostname } = new URL(base);
  return (
    protocol === 'http:' && !(hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname))
  );
};

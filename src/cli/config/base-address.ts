import { CommandFailure } from '../terminal/index.js';

/**
 * The base address of a service, as it is stored and used.
 * @throws CommandFailure `refused` for anything but `http://` or `https://` with a host, and perhaps a path.
 */
export const baseAddress = (given: string): string => {
  const url = URL.canParse(given.trim()) ? new URL(given.trim()) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.hostname === '')
    throw new CommandFailure('refused', `"${given}" is no address that begins with https:// or http://`);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new CommandFailure('refused', 'The base address has neither a user name nor "?" nor "#"');
  return url.href.replace(/\/+$/, '');
};

/** Whether what is sent there can be read on the way: `http://` to another machine. */
export const isExposed = (base: string): boolean => {
  const { protocol, hostname } = new URL(base);
  return (
    protocol === 'http:' && !(hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname))
  );
};

import { schemeOf } from './exposure.js';
import type { Settings } from './settings.js';

/** Removes trailing slashes from an address, so that paths can be appended. */
export const withoutSlash = (address: string): string => address.replace(/\/+$/, '');

/**
 * Returns the base address for clients: PUBLIC_URL, or an address made from HOST and PORT. If HOST stands for all
 * addresses of the machine (`0.0.0.0`, `::`), the result contains the loopback address instead.
 */
export const publicAddress = (
  settings: Pick<Settings, 'host' | 'port' | 'publicUrl' | 'tlsCert'>,
): string => {
  if (settings.publicUrl !== '') return withoutSlash(settings.publicUrl);
  const everywhere = settings.host === '0.0.0.0' || settings.host === '::';
  const host = everywhere ? '127.0.0.1' : settings.host;
  const inUrl = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return `${schemeOf(settings)}://${inUrl}:${settings.port}`;
};

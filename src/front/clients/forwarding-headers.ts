import type { Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import type { HttpRequest } from '../listener/index.js';

type Headers = Pick<HttpRequest, 'getHeader' | 'forEach'>;

/** Headers that proxies, load balancers and content networks add to a request. */
const forwardingHeaders = new Set([
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-envoy-external-address',
  'x-original-forwarded-for',
  'x-original-host',
  'x-proxyuser-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'cf-ray',
  'cdn-loop',
  'fastly-client-ip',
  'fly-client-ip',
  'x-azure-clientip',
  'x-appengine-user-ip',
]);
const forwardingPrefix = 'x-forwarded';

/** Matches `localhost`, its subdomains, and loopback addresses, with any port. */
const loopbackHost = /^(?:(?:[a-z0-9-]+\.)*localhost\.?|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * With `AUTH_MODE=uid`, refuses a request that does not come directly from a program on this machine. Such a request
 * may come through a proxy, or through a foreign host name that points here (DNS rebinding). In this mode a client can
 * act as any user, so only this machine has access.
 *
 * Called for all requests and upgrades, before any other check.
 * @returns the error, or null if the request is permitted.
 */
export const refuseForwarded = (request: Headers, settings: Settings): CochleaError | null => {
  if (settings.authMode !== 'uid') return null;
  let found: string | null = null;
  let hosts = 0;
  request.forEach((name) => {
    if (name === 'host') hosts++;
    if (found === null && (name.startsWith(forwardingPrefix) || forwardingHeaders.has(name))) found = name;
  });
  if (found !== null) return new CochleaError('forwarded_refused', { header: found });
  if (hosts !== 1 || !loopbackHost.test(request.getHeader('host'))) return new CochleaError('host_refused');
  return null;
};

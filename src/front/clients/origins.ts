import { canonicalOrigin, longestOrigin } from '../../common/index.js';
import type { Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import type { HttpRequest } from '../listener/index.js';

type Headers = Pick<HttpRequest, 'getHeader'>;

const hostOf = (origin: string): string =>
  /^https?:/.test(origin) ? origin.slice(origin.indexOf('//') + 2) : '';

/** Removes the default ports 80 and 443 from a host, because proxies may add or omit them. */
const bare = (host: string): string => host.toLowerCase().replace(/:(?:80|443)$/, '');

/**
 * Checks whether a web page may open a socket here. Browsers let any page open a socket and send `Origin` with every
 * upgrade, so the server must decide. Other programs send no `Origin` and are accepted.
 *
 * Accepts pages of this engine's own address and the origins in `ALLOWED_ORIGINS`, or every origin if that setting is
 * `*`. The engine's own address is `PUBLIC_URL` or the requested `Host`. Apps on React Native send the requested `Host`
 * as their origin, so they are accepted.
 * @returns a function that returns the error for a refused origin, or null.
 */
export const originCheck = (settings: Settings): ((request: Headers) => CochleaError | null) => {
  const allowed = new Set(settings.allowedOrigins.map(canonicalOrigin));
  if (settings.publicUrl !== '') allowed.add(canonicalOrigin(settings.publicUrl));
  const everything = settings.allowedOrigins.includes('*');
  return (request) => {
    const given = request.getHeader('origin');
    if (given === '' || everything) return null;
    if (given.length <= longestOrigin) {
      const origin = canonicalOrigin(given);
      if (allowed.has(origin)) return null;
      const host = hostOf(origin);
      if (host !== '' && bare(host) === bare(request.getHeader('host'))) return null;
    }
    return new CochleaError('origin_refused');
  };
};

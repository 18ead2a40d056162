import { canonicalOrigin, longestOrigin } from '../../common/index.js';
import type { Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import type { HttpRequest } from '../listener/index.js';

type Headers = Pick<HttpRequest, 'getHeader'>;

const hostOf = (origin: string): string =>
  /^https?:/.test(origin) ? origin.slice(origin.indexOf('//') + 2) : '';

/** Removes the default ports 80 and 443 from a host, because a proxy may omit or add them. */
const bare = (host: string): string => host.toLowerCase().replace(/:(?:80|443)$/, '');

/**
 * Checks whether a page may open a socket here. Browsers send `Origin` with every upgrade and permit any page to open
 * one, so the server has to choose. Programs send no `Origin` and are accepted.
 *
 * Accepted are: pages of this engine's own address, the origins in `ALLOWED_ORIGINS`, and every origin if that setting
 * is `*`. The own address is `PUBLIC_URL` or the requested `Host`, which apps on React Native send, too.
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

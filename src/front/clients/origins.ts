import { canonicalOrigin, longestOrigin } from '../../common/index.js';
import type { Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import type { HttpRequest } from '../listener/index.js';

type Headers = Pick<HttpRequest, 'getHeader'>;

const hostOf = (origin: string): string =>
  /^https?:/.test(origin) ? origin.slice(origin.indexOf('//') + 2) : '';

/** Hosts compare without the port that the scheme implies: a proxy may leave it out or write it. */
const bare = (host: string): string => host.toLowerCase().replace(/:(?:80|443)$/, '');

/**
 * Says whether a page may open a socket here. Browsers send `Origin` with every upgrade and let any page open one, so the
 * server has to choose. Programs send none and are let through.
 *
 * Let through are: pages of this engine's own address (`PUBLIC_URL`, or the `Host` that was asked, which is also what apps
 * on React Native send), what `ALLOWED_ORIGINS` lists, and everything where that is `*`.
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

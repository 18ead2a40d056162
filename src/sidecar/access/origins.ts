import { canonicalOrigin, longestOrigin } from '../../common/index.js';
import { publicAddress, type Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';

/** Origins of pages on the user's own machine. Their requests also need a credential. */
const loopback = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

/**
 * Refuses pages of foreign origins. Allowed are this service, CORS_ALLOWED_ORIGINS and the user's machine. The check of WebSockets compares
 * with `Host`; this check does not, because a name that an attacker points here would match.
 */
export const originCheck = (settings: Settings): ((origin: string | undefined) => void) => {
  const known = new Set([publicAddress(settings), ...settings.corsOrigins].map(canonicalOrigin));
  return (origin) => {
    if (origin === undefined) return;
    if (origin.length <= longestOrigin && (loopback.test(origin) || known.has(canonicalOrigin(origin))))
      return;
    throw new CochleaError('origin_refused');
  };
};

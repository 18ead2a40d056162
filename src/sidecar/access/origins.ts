import { canonicalOrigin, longestOrigin } from '../../common/index.js';
import { publicAddress, type Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';

/** Pages on the user's own machine. What they ask for needs a credential all the same. */
const loopback = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

/**
 * Refuses pages of origins that are neither of this service, nor in CORS_ALLOWED_ORIGINS, nor on the user's machine. Unlike the
 * check of sockets it does not compare with `Host`: a name that an attacker has made to lead here would be equal to it.
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

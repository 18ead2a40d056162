import { canonicalOrigin, longestOrigin } from '../../common/index.js';
import { publicAddress, type Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';

/** Matches origins of pages on the user's own machine. Their requests also need a credential. */
const loopback = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

/**
 * Creates the check that refuses requests of foreign origins. It allows pages of this service, of CORS_ALLOWED_ORIGINS
 * and of the user's own machine. Apps on React Native send an origin whose host equals the requested `Host`. The check
 * of WebSockets allows such an origin, but this check refuses it. A page of an attacker's domain that resolves to this
 * server would send such an origin, too.
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

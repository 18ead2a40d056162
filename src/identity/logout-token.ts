import { jwtVerify } from 'jose';
import type { Settings } from '../config/index.js';
import { CochleaError } from '../errors/index.js';
import { remoteKeys, signatureAlgorithms } from './token-keys.js';

/**
 * The content of a logout token, which an issuer sends when a person signs out there. At least one of `uid` and
 * `session` is not null.
 */
export interface IssuerLogout {
  readonly uid: string | null;
  /** Id of the session at the issuer; null if all sessions of the user ended. */
  readonly session: string | null;
  /** Time of the logout, ms since the epoch, plus a tolerance for differing clocks. */
  readonly saidAt: number;
}

/** Checks a logout token. @throws CochleaError `auth_invalid`, or `auth_unavailable` if the issuer's keys cannot be read. */
export type VerifyLogout = (token: string) => Promise<IssuerLogout>;

const longestToken = 8192;
const longestName = 255;
/** Seconds by which the issuer's clock may differ. */
const clockTolerance = 30;
/** Maximum age of an accepted logout token in seconds. */
const longestAge = 600;
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
const logoutTypes: ReadonlySet<string> = new Set(['', 'jwt', 'logout+jwt', 'application/logout+jwt']);

const nameIn = (value: unknown): string | null => {
  if (value === undefined) return null;
  if (typeof value !== 'string' || value === '' || value.length > longestName)
    throw new CochleaError('auth_invalid');
  return value;
};

const hasLogoutEvent = (events: unknown): boolean =>
  typeof events === 'object' && events !== null && Object.hasOwn(events, logoutEvent);

/**
 * Creates the function that checks logout tokens, which the operator's own issuer sends to the console (OpenID Connect
 * Back-Channel Logout 1.0, 2.6). `saidAt` stays the same if the issuer sends a token again, so the repeated token does
 * not end sessions that began later.
 */
export const createLogoutCheck = (settings: Settings): VerifyLogout => {
  const keys = remoteKeys(settings);
  return async (token) => {
    if (token.length > longestToken) throw new CochleaError('auth_invalid');
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        algorithms: signatureAlgorithms,
        issuer: settings.idTokenIssuer,
        audience: settings.consoleClientId,
        clockTolerance,
        maxTokenAge: longestAge,
        requiredClaims: ['iss', 'aud', 'iat'],
      });
      const [uid, session] = [nameIn(payload.sub), nameIn(payload.sid)];
      const isLogout =
        logoutTypes.has((protectedHeader.typ ?? '').toLowerCase()) &&
        hasLogoutEvent(payload.events) &&
        payload.nonce === undefined &&
        (uid !== null || session !== null);
      if (!isLogout) throw new CochleaError('auth_invalid');
      return { uid, session, saidAt: (payload.iat! + clockTolerance) * 1000 };
    } catch (error) {
      if (error instanceof CochleaError) throw error;
      throw new CochleaError('auth_invalid', {}, { cause: error });
    }
  };
};

import type { Settings } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import { bearerToken, type TokenVerifier, type VerifiedToken } from '../../identity/index.js';
import { type ClientDevice, clientDevice } from '../clients/index.js';
import type { Handshake, HttpRequest } from '../listener/index.js';
import { formatOf } from './format.js';

import { type ListenQuery, parseListenQuery } from './query.js';

const limits: Readonly<Record<keyof Handshake, number>> = {
  query: fixedLimits.handshakeQuery.value,
  authorization: fixedLimits.handshakeAuthorization.value,
  platform: fixedLimits.handshakeHeader.value,
  deviceHash: fixedLimits.handshakeHeader.value,
  key: fixedLimits.handshakeHeader.value,
  protocol: fixedLimits.handshakeHeader.value,
  extensions: fixedLimits.handshakeHeader.value,
};

/**
 * Copies the data of an upgrade request.
 * @throws CochleaError handshake_too_long, naming the part that is too long.
 */
export const copyHandshake = (request: HttpRequest): Handshake => {
  const handshake: Handshake = {
    query: request.getQuery() ?? '',
    authorization: request.getHeader('authorization'),
    platform: request.getHeader('x-app-platform'),
    deviceHash: request.getHeader('x-device-id-hash'),
    key: request.getHeader('sec-websocket-key'),
    protocol: request.getHeader('sec-websocket-protocol'),
    extensions: request.getHeader('sec-websocket-extensions'),
  };
  for (const [part, limit] of Object.entries(limits)) {
    if (handshake[part as keyof Handshake].length > limit) {
      throw new CochleaError('handshake_too_long', { part, limit });
    }
  }
  return handshake;
};

/**
 * The caller of a stream, and the stream's parameters. With a `rejection` the upgrade is accepted, but the client then
 * only receives this error.
 */
export interface Caller {
  readonly uid: string;
  readonly query: ListenQuery;
  readonly device: ClientDevice;
  readonly rejection: CochleaError | null;
  /** Wall clock time in ms at which the token was issued. */
  readonly issuedAt: number;
  /** Wall clock time in ms at which the token expires; infinite if there is no token. */
  readonly expiresAt: number;
}

/**
 * Returns the bearer token of an Authorization header.
 * @throws CochleaError auth_missing or auth_invalid.
 */
export const tokenOf = (authorization: string): string => {
  if (authorization === '') throw new CochleaError('auth_missing');
  const token = bearerToken(authorization);
  if (token === null) throw new CochleaError('auth_invalid');
  return token;
};

/**
 * Returns the error that the client receives after the upgrade, or null. Errors: the token belongs to another user or
 * has been revoked, the user does not exist, or the format is unknown.
 */
export const rejectionOf = async (
  token: VerifiedToken,
  query: ListenQuery,
  verifier: TokenVerifier,
): Promise<CochleaError | null> => {
  if (query.uid !== null && query.uid !== token.uid) return new CochleaError('uid_foreign');
  const standing = await verifier.standing(token);
  if (standing !== 'good') return new CochleaError(standing === 'ended' ? 'account_gone' : 'user_unknown');
  try {
    formatOf(query);
    return null;
  } catch (error) {
    if (error instanceof CochleaError) return error;
    throw error;
  }
};

/** Returns the identity for `AUTH_MODE=uid`. Any uid is accepted, and the identity never expires. */
export const bare = (uid: string): VerifiedToken => ({
  uid,
  issuedAt: Date.now(),
  expiresAt: Number.POSITIVE_INFINITY,
});

/**
 * Identifies the caller of `/v4/listen`.
 * @throws CochleaError auth_missing, auth_invalid, auth_expired (401), query_invalid (403) or auth_unavailable (503).
 *   The upgrade is refused with the given status.
 */
export const identify = async (
  handshake: Handshake,
  settings: Settings,
  verifier: TokenVerifier,
): Promise<Caller> => {
  const token = settings.authMode === 'uid' ? null : tokenOf(handshake.authorization);
  const query = parseListenQuery(handshake.query);
  if (query.uid === null) throw new CochleaError('query_invalid', { name: 'uid', why: 'required' });
  const verified = token === null ? bare(query.uid) : await verifier.verify(token, 'stream');
  const rejection = await rejectionOf(verified, query, verifier);
  const device = clientDevice(handshake.platform, handshake.deviceHash);
  return { ...verified, query, device, rejection };
};

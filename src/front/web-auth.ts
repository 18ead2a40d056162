import { z } from 'zod';
import type { Settings } from '../config/settings.js';
import { CochleaError } from '../errors/index.js';
import type { TokenVerifier } from '../identity/index.js';
import { clientDevice } from './device.js';
import { type Caller, rejectionOf } from './handshake.js';
import type { ListenQuery } from './query.js';

/** Largest auth message, in bytes. */
export const maxAuthMessage = 65_536;

const authMessage = z.object({
  type: z.literal('auth'),
  token: z.string().min(1),
  device_id_hash: z.string().max(256).optional(),
});

/** The answer to an auth message. */
export const authResponse = (success: boolean): string => JSON.stringify({ type: 'auth_response', success });

/**
 * Identifies the caller of `/v4/web/listen` by its first message; browsers cannot set headers.
 * @throws CochleaError web_auth_invalid, or auth_unavailable.
 */
export const identifyByMessage = async (
  text: string,
  query: ListenQuery,
  settings: Settings,
  verifier: TokenVerifier,
): Promise<Caller> => {
  const { token, device_id_hash } = parseAuthMessage(text);
  let uid = query.uid;
  if (settings.authMode === 'token') {
    try {
      ({ uid } = await verifier.verify(token));
    } catch (error) {
      if (error instanceof CochleaError && error.code === 'auth_unavailable') throw error;
      throw new CochleaError('web_auth_invalid', {}, { cause: error });
    }
  }
  if (uid === null) throw new CochleaError('web_auth_invalid');
  const rejection = await rejectionOf(uid, query, verifier);
  return { uid, query, device: clientDevice('web', device_id_hash ?? ''), rejection };
};

const parseAuthMessage = (text: string): z.output<typeof authMessage> => {
  try {
    return authMessage.parse(JSON.parse(text));
  } catch (error) {
    throw new CochleaError('web_auth_invalid', {}, { cause: error });
  }
};

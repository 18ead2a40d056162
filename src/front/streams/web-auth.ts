import { z } from 'zod';
import type { Settings } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import type { TokenVerifier, VerifiedToken } from '../../identity/index.js';
import { clientDevice } from '../clients/index.js';
import { bufferOf, type MessageBytes } from '../listener/index.js';
import { bare, type Caller, rejectionOf } from './handshake.js';
import type { ListenQuery } from './query.js';

const authMessage = z.object({
  type: z.literal('auth'),
  token: z.string().min(1),
  device_id_hash: z.string().max(256).nullish().catch(null),
});

/** Returns the answer to an auth message. */
export const authResponse = (success: boolean): string => JSON.stringify({ type: 'auth_response', success });

/** Bytes that every auth message contains. A text without these bytes is not parsed. */
const mark = Buffer.from('"auth"');

/**
 * Returns whether a message may be an auth message. Fast enough for every text of a client.
 * @param message only read.
 */
export const mayBeAuth = (message: MessageBytes): boolean =>
  message.byteLength <= fixedLimits.authMessage.value && bufferOf(message).includes(mark);

type AuthMessage = z.output<typeof authMessage>;

/** Parses an auth message; null for any other text. Call it only for texts that `mayBeAuth` accepts. */
export const readAuthMessage = (text: string): AuthMessage | null => {
  try {
    return authMessage.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
};

/**
 * Checks the token of an auth message.
 * @throws CochleaError web_auth_invalid, or auth_unavailable.
 */
const verified = async (token: string, verifier: TokenVerifier): Promise<VerifiedToken> => {
  try {
    return await verifier.verify(token, 'stream');
  } catch (error) {
    if (error instanceof CochleaError && error.code === 'auth_unavailable') throw error;
    throw new CochleaError('web_auth_invalid', {}, { cause: error });
  }
};

/**
 * Identifies the caller of `/v4/web/listen` by its first message, because browsers cannot set headers.
 * @throws CochleaError web_auth_invalid, or auth_unavailable.
 */
export const identifyByMessage = async (
  text: string,
  query: ListenQuery,
  settings: Settings,
  verifier: TokenVerifier,
): Promise<Caller> => {
  const message = readAuthMessage(text);
  const onTrial = settings.authMode === 'uid';
  if (message === null || (onTrial && query.uid === null)) throw new CochleaError('web_auth_invalid');
  const token = onTrial ? bare(query.uid ?? '') : await verified(message.token, verifier);
  const rejection = await rejectionOf(token, query, verifier);
  const device = clientDevice('web', message.device_id_hash ?? '');
  return { ...token, query, device, rejection };
};

/**
 * Checks the new token that an open socket sends.
 * @throws CochleaError uid_foreign for the token of another user; account_gone for a deleted account or a revoked
 *   token; web_auth_invalid; auth_unavailable.
 */
export const renewalOf = async (
  { token }: AuthMessage,
  caller: Caller,
  settings: Settings,
  verifier: TokenVerifier,
): Promise<VerifiedToken> => {
  const { uid } = caller;
  if (settings.authMode === 'uid') return caller;
  const renewal = await verified(token, verifier);
  if (renewal.uid !== uid) throw new CochleaError('uid_foreign');
  if ((await verifier.standing(renewal)) !== 'good') throw new CochleaError('account_gone');
  return renewal;
};

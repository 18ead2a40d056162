import { createHash } from 'node:crypto';
import { useAccessToken } from '../store/accounts/index.js';
import type { Sql } from '../store/client/index.js';

/** Access granted by an assistant's token. */
export interface AssistantToken {
  readonly uid: string;
  readonly clientId: string;
  readonly grantId: string;
  readonly scopes: readonly string[];
  /** Whether the user's account is being deleted. */
  readonly deleting: boolean;
}

const words = (text: string): string[] => text.split(' ').filter(Boolean);

/**
 * Looks up an access token. Called for each request, so that the withdrawal of a grant takes effect at once.
 * @param audience resource for which the token must have been issued.
 * @returns null if the token is unknown, expired, or issued for another resource. The result contains only scopes that
 *   the user's grant still includes.
 */
export const verifyAssistantToken = async (
  sql: Sql,
  token: string,
  audience: string,
): Promise<AssistantToken | null> => {
  const found = await useAccessToken(sql, createHash('sha256').update(token).digest('hex'));
  if (!found || found.audience !== audience) return null;
  const granted = new Set(words(found.granted));
  return {
    uid: found.uid,
    clientId: found.client_id,
    grantId: found.grant_id,
    scopes: words(found.scope).filter((scope) => granted.has(scope)),
    deleting: found.deleting,
  };
};

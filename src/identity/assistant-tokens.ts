import { createHash } from 'node:crypto';
import { useAccessToken } from '../store/accounts/index.js';
import type { Sql } from '../store/client/index.js';

/** What an access token of an assistant opens. */
export interface AssistantToken {
  readonly uid: string;
  readonly clientId: string;
  readonly grantId: string;
  readonly scopes: readonly string[];
  /** Whether the account of its user is being deleted. */
  readonly deleting: boolean;
}

const words = (text: string): string[] => text.split(' ').filter(Boolean);

/**
 * Looks up an access token, with every request, so that a grant that was taken back is refused with the next one.
 * @param audience the resource that the token has to be made for.
 * @returns null when it is unknown, has ended, or was made for something else. Its scopes are those that its grant still has.
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

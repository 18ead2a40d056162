import type { Sql } from '../client/index.js';

/**
 * Takes tokens from a user's quota of `most` tokens for today (UTC). Concurrent processes together never take more than
 * the quota.
 * @returns false when fewer tokens are left; in this case, no tokens are taken.
 */
export const takeTokens = async (sql: Sql, uid: string, tokens: number, most: number): Promise<boolean> => {
  if (tokens > most) return false;
  const taken = await sql`
    insert into model_tokens (uid, day, tokens) values (${uid}, (now() at time zone 'UTC')::date, ${tokens})
    on conflict (uid, day) do update set tokens = model_tokens.tokens + excluded.tokens
      where model_tokens.tokens + excluded.tokens <= ${most}
    returning 1 as taken`;
  return taken.length > 0;
};

/** Adds tokens to a user's usage of today; a negative number gives tokens back. */
export const correctTokens = async (sql: Sql, uid: string, tokens: number): Promise<void> => {
  await sql`
    update model_tokens set tokens = greatest(0, tokens + ${tokens})
    where uid = ${uid} and day = (now() at time zone 'UTC')::date`;
};

/** Removes the token counts of all days before yesterday (UTC). */
export const sweepModelTokens = async (sql: Sql): Promise<void> => {
  await sql`delete from model_tokens where day < (now() at time zone 'UTC')::date - 1`;
};

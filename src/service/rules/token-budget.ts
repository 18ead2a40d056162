import type { TokenBudget } from '../../llm/index.js';
import type { Sql } from '../../store/client/index.js';
import { correctTokens, takeTokens } from '../../store/jobs/index.js';

/**
 * Counts the tokens of users in the database, so that all sidecars share one limit.
 * @param most maximum tokens for each user and day (UTC). 0: no limit, and nothing is counted.
 */
export const tokenBudget = (sql: Sql, most: number): TokenBudget => ({
  reserve: async (uid, tokens) => most === 0 || takeTokens(sql, uid, tokens, most),
  async settle(uid, reserved, used) {
    if (most !== 0 && used !== reserved) await correctTokens(sql, uid, used - reserved);
  },
});

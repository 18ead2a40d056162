import type { TransactionSql } from './database.js';

/**
 * Lets only one transaction at a time do a kind of work for a user. Other transactions wait at this call until the
 * first transaction ends. The lock is an advisory lock, so the user's rows stay unlocked.
 */
export const lockForUser = async (sql: TransactionSql, kind: string, uid: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${kind} ${uid}`}, 0))`;
};

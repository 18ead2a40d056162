import type { TransactionSql } from './database.js';

/**
 * Serializes one kind of work for a user: a second transaction waits until the first ends. Takes an advisory lock, so
 * the user's rows stay unlocked.
 */
export const lockForUser = async (sql: TransactionSql, kind: string, uid: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${kind} ${uid}`}, 0))`;
};

import type { TransactionSql } from './database.js';

/** Lets only one transaction at a time do one kind of thing for a user, until it ends. The user's rows are not locked. */
export const lockForUser = async (sql: TransactionSql, kind: string, uid: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${kind} ${uid}`}, 0))`;
};

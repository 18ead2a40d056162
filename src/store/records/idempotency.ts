import type { Sql, TransactionSql } from '../client/index.js';

export interface IdempotencyKey {
  readonly uid: string;
  readonly operation: string;
  readonly key: string;
  readonly fingerprint: string;
}

/** A used idempotency key, with the ids that its request created. */
export interface UsedKey {
  readonly fingerprint: string;
  readonly ids: string[];
}

/** Number of days for which a repeated request is recognised. */
const keptDays = 7;

/**
 * Marks an idempotency key as used. Waits while another transaction uses the same key. Writes the row of a used key
 * again, so that a repeated request also waits for the synchronous standby.
 * @returns null when the key was unused and this transaction has taken it; else the earlier use.
 */
export const takeIdempotencyKey = async (
  sql: TransactionSql,
  { uid, operation, key, fingerprint }: IdempotencyKey,
): Promise<UsedKey | null> => {
  for (;;) {
    const taken = await sql`
      insert into idempotency_keys (uid, operation, key, fingerprint)
      values (${uid}, ${operation}, ${key}, ${fingerprint}) on conflict do nothing returning 1 as taken`;
    if (taken.length > 0) return null;
    const [used] = await sql<UsedKey[]>`
      update idempotency_keys set ids = ids
      where uid = ${uid} and operation = ${operation} and key = ${key} returning fingerprint, ids`;
    // If the sweep removes the row between the two statements, the second statement finds no row. The loop then tries
    // again.
    if (used) return used;
  }
};

/**
 * Returns the earlier use of a key; null when the key was not used, or its row was removed. Like `takeIdempotencyKey`,
 * writes the row again.
 */
export const findIdempotencyKey = async (
  sql: Sql,
  { uid, operation, key }: Omit<IdempotencyKey, 'fingerprint'>,
): Promise<UsedKey | null> => {
  const [used] = await sql<UsedKey[]>`
    update idempotency_keys set ids = ids
    where uid = ${uid} and operation = ${operation} and key = ${key} returning fingerprint, ids`;
  return used ?? null;
};

/** Stores the ids that were created with a key that this transaction has taken. */
export const recordCreated = async (
  sql: TransactionSql,
  { uid, operation, key }: IdempotencyKey,
  ids: readonly string[],
): Promise<void> => {
  await sql`
    update idempotency_keys set ids = ${ids as string[]}
    where uid = ${uid} and operation = ${operation} and key = ${key}`;
};

/** Removes keys older than 7 days; at most `limit` in one call. */
export const sweepIdempotencyKeys = async (sql: Sql, limit = 1000): Promise<void> => {
  await sql`
    delete from idempotency_keys where ctid = any(array(
      select ctid from idempotency_keys where created_at < now() - make_interval(days => ${keptDays})
      order by created_at limit ${limit} for update skip locked))`;
};

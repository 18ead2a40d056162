import { hash } from 'node:crypto';
import type { Sql, TransactionSql } from '../client/index.js';
import { identifies, type OwnedTable } from '../schema/index.js';

/** Channel on which the uid of a user is told whose tokens have ended: of a deletion, or of a sign-out everywhere. */
export const accountChannel = 'account_changed';

/** How a deleted user is remembered. */
export const uidHash = (uid: string): string => hash('sha256', uid, 'hex');

/**
 * Begins the deletion of an account, for good: from the commit on every credential of the user is refused, and nothing that
 * belongs to the user can be begun. What is there is removed by `removeSome`. May be repeated.
 * @returns false when there is no such user.
 */
export const beginDeletion = (sql: Sql, uid: string): Promise<boolean> =>
  sql.begin(async (transaction) => {
    // Conversations that are being begun are committed first, and found by the removal.
    await transaction`select pg_advisory_xact_lock(hashtextextended(${`deletion ${uid}`}, 0))`;
    const told = await transaction`
      with marked as (
        update users set deleting_at = coalesce(deleting_at, now()) where uid = ${uid} returning uid
      ), noted as (
        insert into account_deletions (uid_hash, uid) select ${uidHash(uid)}, uid from marked
        on conflict (uid_hash) do nothing
      )
      select pg_notify(${accountChannel}, uid) from marked`;
    return told.length > 0;
  }) as Promise<boolean>;

/** Whether the account of this uid was deleted, or is being deleted. */
export const isDeletedAccount = async (sql: Sql | TransactionSql, uid: string): Promise<boolean> => {
  const [row] = await sql<{ deleted: boolean }[]>`select is_deleted_account(${uid}) as deleted`;
  return row!.deleted;
};

/** Whether a deletion has ended: nothing of the user is in the database any more. */
export const isDeletionFinished = async (sql: Sql, uid: string): Promise<boolean> => {
  const rows = await sql`
    select 1 as running from account_deletions where uid_hash = ${uidHash(uid)} and finished_at is null`;
  return rows.length === 0;
};

/** Deletions that an engine has not confirmed: its disk may hold audio and entries of these users, whose hashes are returned. */
export const unconfirmedDeletions = async (sql: Sql, engine: string): Promise<string[]> => {
  const rows = await sql<{ uid_hash: string }[]>`
    select uid_hash from account_deletions d where not exists (
      select from account_deletion_engines e where e.engine = ${engine} and e.uid_hash = d.uid_hash)`;
  return rows.map(({ uid_hash }) => uid_hash);
};

/** An engine says that its disk holds nothing of these users, and that it will keep nothing. */
export const confirmDeletions = async (
  sql: Sql,
  engine: string,
  hashes: readonly string[],
): Promise<void> => {
  await sql`
    insert into account_deletion_engines (engine, uid_hash)
    select ${engine}, uid_hash from unnest(${hashes as string[]}::text[]) as d (uid_hash)
    on conflict do nothing`;
};

/** Rows that one transaction removes. */
const piece = 1000;

/**
 * Removes some rows of one of the accounts that are being deleted, in a transaction of its own; the last one removes what the user
 * was known by. A process that dies in the middle loses nothing but its last piece: any other one goes on.
 * @param tables all that `ownedTables` finds.
 * @returns `idle` when no account is being deleted, or others work on all of them.
 */
export const removeSome = (
  sql: Sql,
  tables: readonly OwnedTable[],
  limit = piece,
): Promise<'idle' | 'removed' | 'finished'> =>
  sql.begin(async (transaction) => {
    // In no order, so that one that cannot be removed delays no other.
    const [deletion] = await transaction<{ uid: string }[]>`
      select uid from account_deletions where finished_at is null
      order by random() limit 1 for update skip locked`;
    if (deletion === undefined) return 'idle';
    const { uid } = deletion;
    for (const table of tables) {
      if (identifies(table)) continue;
      const { name, condition } = table;
      const { count } = await transaction.unsafe(
        `delete from "${name}" where ctid = any(array(select t.ctid from "${name}" as t where ${condition} limit ${limit}))`,
        [uid],
      );
      if (count > 0) return 'removed';
    }
    await removeRest(transaction, tables, uid);
    await transaction`
      update account_deletions set finished_at = now(), uid = null where uid_hash = ${uidHash(uid)}`;
    await transaction`select pg_notify(${accountChannel}, ${uid})`;
    return 'finished';
  }) as Promise<'idle' | 'removed' | 'finished'>;

/** Removes what a user is known by, and what requests that were under way have written since. */
const removeRest = async (sql: TransactionSql, tables: readonly OwnedTable[], uid: string): Promise<void> => {
  const known = await sql<{ email: string }[]>`
    select lower(email) as email from users where uid = ${uid} and email is not null
    union select email from accounts where uid = ${uid}`;
  const emails = known.map(({ email }) => email);
  await sql`delete from account_links where email = any(${emails})`;
  // Attempts to sign in are counted by the hash of the address.
  const hashes = emails.map((email) => `issuer ${uidHash(email)}`);
  await sql`
    delete from rate_windows where subject = ${uid}
      or exists (select from unnest(${hashes}::text[]) as h (prefix) where starts_with(subject, h.prefix))`;
  for (const { name, condition } of tables)
    await sql.unsafe(`delete from "${name}" as t where ${condition}`, [uid]);
};

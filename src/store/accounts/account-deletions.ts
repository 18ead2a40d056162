import { hash } from 'node:crypto';
import { announce, type Sql, type TransactionSql } from '../client/index.js';
import { identifies, type OwnedTable } from '../schema/index.js';

/**
 * Notification channel for users whose tokens have become invalid, because the account is deleted or the user has
 * signed out everywhere. A notification contains the uid.
 */
export const accountChannel = 'account_changed';

/** Returns the hash that identifies a deleted user. */
export const uidHash = (uid: string): string => hash('sha256', uid, 'hex');

/**
 * Begins the deletion of an account; it cannot be undone. After the commit every credential of the user is refused, and
 * no new record of the user can be inserted. `removeSome` removes the stored records. Repeated calls are safe.
 * @returns false when the user does not exist.
 */
export const beginDeletion = (sql: Sql, uid: string): Promise<boolean> =>
  sql.begin(async (transaction) => {
    // Waits until transactions that begin conversations have committed, so that the removal finds their rows.
    await transaction`select pg_advisory_xact_lock(hashtextextended(${`deletion ${uid}`}, 0))`;
    // Because of this lock, deletions become visible in the order of their numbers.
    await transaction`select pg_advisory_xact_lock(hashtextextended('account_deletions', 0))`;
    const marked = await transaction`
      with marked as (
        update users set deleting_at = coalesce(deleting_at, now()) where uid = ${uid} returning uid
      ), noted as (
        insert into account_deletions (uid_hash, uid) select ${uidHash(uid)}, uid from marked
        on conflict (uid_hash) do nothing
      )
      select uid from marked`;
    if (marked.length > 0) await announce(transaction, accountChannel, uid);
    return marked.length > 0;
  }) as Promise<boolean>;

/** Checks whether the account of this uid was deleted, or is being deleted. */
export const isDeletedAccount = async (sql: Sql | TransactionSql, uid: string): Promise<boolean> => {
  const [row] = await sql<{ deleted: boolean }[]>`select is_deleted_account(${uid}) as deleted`;
  return row!.deleted;
};

/** Checks whether a deletion is complete: the database has no more rows of the user. */
export const isDeletionFinished = async (sql: Sql, uid: string): Promise<boolean> => {
  const rows = await sql`
    select 1 as running from account_deletions where uid_hash = ${uidHash(uid)} and finished_at is null`;
  return rows.length === 0;
};

/** Maximum number of rows that one transaction removes. */
const piece = 1000;

/**
 * Removes some rows of one account that is being deleted. The last call for an account removes the rows that identify
 * the user. Each call is one transaction, so when a process dies, only its last call is undone and another process
 * continues.
 * @param tables all tables that `ownedTables` finds.
 * @returns `idle` when no account is being deleted, or when other processes work on all such accounts.
 */
export const removeSome = (
  sql: Sql,
  tables: readonly OwnedTable[],
  limit = piece,
): Promise<'idle' | 'removed' | 'finished'> =>
  sql.begin(async (transaction) => {
    // Chooses a deletion at random, so that a deletion that always fails does not delay the others.
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
    await announce(transaction, accountChannel, uid);
    return 'finished';
  }) as Promise<'idle' | 'removed' | 'finished'>;

/**
 * Removes the rows that identify a user, and rows that requests have written since `removeSome` emptied their table.
 */
const removeRest = async (sql: TransactionSql, tables: readonly OwnedTable[], uid: string): Promise<void> => {
  const known = await sql<{ email: string }[]>`
    select lower(email) as email from users where uid = ${uid} and email is not null
    union select email from accounts where uid = ${uid}`;
  const emails = known.map(({ email }) => email);
  await sql`delete from account_links where email = any(${emails})`;
  // Rate windows of sign-in attempts contain the hash of the e-mail address.
  const hashes = emails.map((email) => `issuer ${uidHash(email)}`);
  await sql`
    delete from rate_windows where subject = ${uid}
      or exists (select from unnest(${hashes}::text[]) as h (prefix) where starts_with(subject, h.prefix))`;
  for (const { name, condition } of tables)
    await sql.unsafe(`delete from "${name}" as t where ${condition}`, [uid]);
};

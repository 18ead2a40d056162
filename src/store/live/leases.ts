import type { BegunConversation } from '../../wire/spill/index.js';
import { announcing, type Sql, type TransactionSql } from '../client/index.js';
import type { Holder } from './engine-leases.js';

/**
 * Functions that begin, release and end conversations in progress. Every statement may be repeated: because of epochs
 * and statuses, the second run changes nothing.
 */

/** Returns SQL for a `timestamptz` from ms since the Unix epoch. */
export const timestamp = (sql: Sql | TransactionSql, ms: number | null) =>
  ms === null ? sql`null::timestamptz` : sql`to_timestamp(${ms / 1000}::double precision)`;

/**
 * Returns an SQL expression for the time when a conversation `c` ended. Usually this is the last speech. If the client
 * itself transcribes, the end of the last segment counts instead, because the client may send words faster than they
 * were spoken.
 */
export const endOfSpeech = (sql: TransactionSql, lastSpeech: ReturnType<typeof timestamp>) => sql`
  greatest(c.started_at, case when c.uses_custom_stt then coalesce(
    c.started_at + make_interval(secs => (
      select max(s.end_seconds) from segments s where s.conversation_id = c.id and not s.deleted)), ${lastSpeech})
    else ${lastSpeech} end)`;

/** A conversation to insert. */
export interface NewConversation {
  readonly begun: BegunConversation;
  /** Epoch of the conversation's lease; 1 when absent. */
  readonly epoch?: number | undefined;
  /** First revision; 1 when absent. */
  readonly revision?: number;
}

/**
 * Inserts conversations in progress. Leaves out conversations whose id exists already, and conversations of users whose
 * account is deleted.
 * @returns the ids of the inserted conversations.
 */
export const beginConversations = async (
  sql: Sql | TransactionSql,
  conversations: readonly NewConversation[],
  holder: Holder,
): Promise<ReadonlySet<string>> => {
  if (conversations.length === 0) return new Set();
  const values = conversations.map(({ begun, epoch = 1, revision = 1 }) => ({
    ...begun,
    created: begun.createdAt / 1000,
    epoch,
    revision,
  }));
  const rows = await sql<{ id: string }[]>`
    insert into conversations (id, uid, status, source, language, client_device_id, client_platform, uses_custom_stt,
      created_at, last_speech_at, timeout_seconds, engine, epoch, revision)
    select id, uid, 'in_progress', source, language, "deviceId", "clientPlatform", "usesCustomStt",
      to_timestamp(created), to_timestamp(created), timeout, ${holder}, epoch, revision
    from jsonb_to_recordset(${sql.json(values)}) as begun(id uuid, uid text, source text, language text, "deviceId" text,
      "clientPlatform" text, "usesCustomStt" boolean, created double precision, timeout integer, epoch bigint,
      revision bigint)
    order by id
    on conflict (id) do nothing returning id`;
  return new Set(rows.map(({ id }) => id));
};

/**
 * Inserts one conversation in progress.
 * @param epoch epoch of the conversation's lease; 1 when absent.
 * @returns whether the conversation was inserted.
 */
export const beginConversation = async (
  sql: Sql | TransactionSql,
  begun: BegunConversation,
  holder: Holder,
  epoch?: number,
): Promise<boolean> => (await beginConversations(sql, [{ begun, epoch }], holder)).size > 0;

/**
 * Ends a conversation in progress. A conversation with segments or photos gets the status `processing` and is
 * announced. Any other conversation is removed. The first statement locks the row. So the second statement, which
 * checks for segments and photos, also sees segments that another engine committed during the wait for the lock. While
 * the row is locked, no segment can be added.
 * @param epoch epoch of the caller's lease; null ends the conversation at any epoch.
 * @returns undefined when the epoch is no longer current or the conversation has already ended.
 */
export const endConversation = async (
  sql: TransactionSql,
  id: string,
  epoch: number | null,
  finishedAt: number,
): Promise<'processing' | 'deleted' | undefined> => {
  const locked = await sql`
    select 1 from conversations
    where id = ${id} and status = 'in_progress' and (${epoch}::bigint is null or epoch = ${epoch}::bigint)
    for update`;
  if (locked.length === 0) return undefined;
  const finished = announcing(sql, 'conversation_finished');
  const [row] = await sql<{ spoken: boolean }[]>`
    with target as (
      select exists (select 1 from segments where conversation_id = ${id} and not deleted)
        or exists (select 1 from photos where conversation_id = ${id}) as spoken
    ), processed as (
      update conversations c set status = 'processing', epoch = c.epoch + 1, engine = null,
        finished_at = ${endOfSpeech(sql, timestamp(sql, finishedAt))}, updated_at = now()
      from target where c.id = ${id} and target.spoken
      returning c.id
    ), removed as (
      delete from conversations c using target where c.id = ${id} and not target.spoken
    ), told as (
      select case when ${finished.notifies}::boolean then pg_notify('conversation_finished', id::text) end from processed
    )
    select spoken, (select count(*) from told) as told from target`;
  if (row!.spoken) finished.tell(id);
  return row!.spoken ? 'processing' : 'deleted';
};

/** Releases a lease: the conversation stays in progress and any engine may take it over. */
export const releaseLease = async (sql: Sql | TransactionSql, id: string, epoch: number): Promise<void> => {
  await sql`
    update conversations set engine = null
    where id = ${id} and epoch = ${epoch} and status = 'in_progress'`;
};

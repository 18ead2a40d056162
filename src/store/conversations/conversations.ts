import { validate as isUuid } from 'uuid';
import type { conversationRecord, NewRowOf } from '../../wire/records/index.js';
import { firstRow, type Sql, type TransactionSql } from '../client/index.js';
import {
  type ActionItem,
  type ConversationRecord,
  type ConversationRow,
  type ConversationStatus,
  emptyStructured,
  type PhotoRecord,
  type Structured,
} from '../record/index.js';
import { jsonRows, liveSegment, momentOf, type TranscriptRow, transcriptColumns } from '../segments/index.js';

interface Moments {
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly structured: Partial<Structured> | null;
}

/** Converts the times and the summary of a row to the API's types. The row comes from a JSON document. */
const shown = <Row extends Moments>(row: Row) => ({
  ...row,
  created_at: momentOf(row.created_at),
  started_at: row.started_at && momentOf(row.started_at),
  finished_at: row.finished_at && momentOf(row.finished_at),
  structured: { ...emptyStructured, ...row.structured },
});

/** A conversation as its JSON document contains it. Fields have the document's order. */
interface StoredRecord extends Omit<ConversationRecord, 'structured' | 'transcript_segments' | 'photos'> {
  readonly structured: Partial<Structured> | null;
  readonly transcript_segments: readonly TranscriptRow[] | null;
  readonly photos: readonly PhotoRecord[] | null;
}

/** Reads a conversation of a user in any status, with its transcript. Null when it is unknown or deleted. */
export const readConversation = async (
  sql: Sql,
  uid: string,
  id: string,
): Promise<ConversationRecord | null> => {
  if (!isUuid(id)) return null;
  const [row] = await jsonRows<StoredRecord>(sql)`
    select id, created_at, updated_at, started_at, finished_at, source, language, status, structured, generated_by, (
      select json_agg(said order by position, id) from (
        select position, ${sql.unsafe(transcriptColumns)} from segments
        where conversation_id = conversations.id and not deleted) as said) as transcript_segments, geolocation, (
      select json_agg(seen order by created_at, id) from (
        select id, created_at, content_type, description, discarded from photos
        where conversation_id = conversations.id) as seen) as photos,
      '[]'::json as audio_files, '[]'::json as apps_results, external_data, discarded, 'private' as visibility, starred,
      is_locked, folder_id, client_device_id, client_platform
    from conversations where id = ${id} and uid = ${uid} and deleted_at is null`;
  if (!row) return null;
  return {
    ...shown(row),
    updated_at: momentOf(row.updated_at),
    transcript_segments: (row.transcript_segments ?? []).map(liveSegment),
    photos: (row.photos ?? []).map((photo) => ({ ...photo, created_at: momentOf(photo.created_at) })),
  };
};

const announced = 'id, status, source, language, created_at, started_at, finished_at, structured';

/** A conversation as a stream sends it when a client requests it again. Long fields are left out; clients read them by REST. */
export type AnnouncedConversation = ConversationRow<typeof announced, string> & {
  readonly structured: Structured;
};

/** Reads a conversation of a user without transcript, images and supplied text. Null when it is unknown, deleted or locked. */
export const readAnnounced = async (
  sql: Sql,
  uid: string,
  id: string,
): Promise<AnnouncedConversation | null> => {
  const [row] = await jsonRows<ConversationRow<typeof announced, string>>(sql)`
    select ${sql.unsafe(announced)} from conversations
    where id = ${id} and uid = ${uid} and deleted_at is null and not is_locked`;
  return row ? shown(row) : null;
};

/** A conversation that this transaction has locked. */
export interface LockedConversation {
  readonly id: string;
  readonly is_locked: boolean;
  /** Id of the conversation into which this conversation was merged; null if it was not merged. */
  readonly merged_into: string | null;
}

/**
 * Locks a conversation of a user until the transaction ends. Null when the user has no such conversation, or when all
 * its words were moved to another conversation. In the second case, a client that still shows the conversation cannot
 * change or delete its empty row.
 */
export const lockConversation = async (
  sql: TransactionSql,
  uid: string,
  id: string,
): Promise<LockedConversation | null> => {
  if (!isUuid(id)) return null;
  const row = await firstRow(sql<LockedConversation[]>`
    select id, is_locked, merged_into from conversations
    where id = ${id} and uid = ${uid} and deleted_at is null for update`);
  if (row === null || row.merged_into === null) return row;
  const left =
    await sql`select 1 as one from segments where conversation_id = ${row.id} and not deleted limit 1`;
  return left.length > 0 ? row : null;
};

/** A user's changes to a conversation. A null folder takes the conversation out of its folder. */
export type ConversationChanges = Partial<NewRowOf<typeof conversationRecord>>;

/**
 * Changes a conversation that this transaction has locked. Later summaries do not overwrite a title, discarding or
 * folder that the user has set.
 */
export const changeConversation = async (
  sql: TransactionSql,
  id: string,
  changes: ConversationChanges,
): Promise<void> => {
  const { title_by_user: title, discarded } = changes;
  const decided = { ...changes, ...(discarded !== undefined && { discarded_by_user: discarded }) };
  await sql`
    update conversations set ${sql(decided as never)}, updated_at = now(),
      structured = case when ${title ?? null}::text is null then structured
        else coalesce(structured, '{}'::jsonb) || jsonb_build_object('title', ${title ?? null}::text) end
    where id = ${id}`;
};

/**
 * Deletes a conversation that this transaction has locked. A row without content remains, so that repeated requests of
 * the client session and late writes of an engine do not restore the conversation. The row's epoch is raised, so writes
 * of an engine with the earlier epoch are refused. Conversations that were merged into the deleted conversation are
 * deleted, too.
 */
export const removeConversation = async (sql: TransactionSql, id: string): Promise<void> => {
  const merged = await sql<
    { id: string }[]
  >`select id from conversations where merged_into = ${id} for update`;
  for (const one of [{ id }, ...merged]) await removeOne(sql, one.id);
};

const removeOne = async (sql: TransactionSql, id: string): Promise<void> => {
  await sql`
    update conversations set deleted_at = now(), status = 'completed', epoch = epoch + 1, revision = revision + 1,
      engine = null, claimed_at = null, structured = null, generated_by = null, geolocation = null,
      external_data = null, title_by_user = null, folder_id = null, merged_into = null, starred = false, updated_at = now()
    where id = ${id}`;
  await sql`delete from segments where conversation_id = ${id}`;
  await sql`delete from photos where conversation_id = ${id}`;
  // A step that is running now finds no row when it ends, and stores nothing.
  await sql`delete from steps where conversation_id = ${id}`;
  // Removes the stored facts of a split or a merge, because they contain the summary.
  await sql`delete from undoable_changes where conversation_id = ${id} or part_id = ${id}`;
};

/** Returns for each user the id of the newest completed conversation; null if there is none. */
export const lastCompletedConversations = async (
  sql: Sql,
  uids: readonly string[],
): Promise<readonly (string | null)[]> => {
  const rows = await sql<{ id: string | null }[]>`
    select (
      select id from conversations c
      where c.uid = asked.uid and status = 'completed' and deleted_at is null and not discarded
      order by created_at desc, id desc limit 1) as id
    from unnest(${uids as string[]}::text[]) with ordinality as asked(uid, place) order by place`;
  return rows.map(({ id }) => id);
};

/** Returns the ids among `ids` whose conversations are completed or failed. */
export const settledConversations = async (sql: Sql, ids: readonly string[]): Promise<string[]> => {
  const rows = await sql<{ id: string; status: string }[]>`
    select id, status from conversations where id in ${sql(ids as string[])} and status in ('completed', 'failed')`;
  return rows.map(({ id }) => id);
};

/** Replaces the action items in the summary of a conversation. */
export const replaceStructuredItems = async (
  sql: TransactionSql,
  id: string,
  items: readonly ActionItem[],
): Promise<void> => {
  await sql`
    update conversations set updated_at = now(),
      structured = structured || jsonb_build_object('action_items', ${sql.json(items as never)}::jsonb)
    where id = ${id} and structured is not null and deleted_at is null`;
};

/** Returns the status of a conversation that this transaction has locked. */
export const conversationState = async (sql: TransactionSql, id: string): Promise<ConversationStatus> => {
  const [row] = await sql<
    { status: ConversationStatus }[]
  >`select status from conversations where id = ${id}`;
  return row!.status;
};

/** Returns the uid of a conversation's user; null when the conversation does not exist. */
export const conversationOwner = async (sql: Sql, id: string): Promise<string | null> => {
  if (!isUuid(id)) return null;
  const [row] = await sql<{ uid: string }[]>`
    select uid from conversations where id = ${id} and deleted_at is null`;
  return row?.uid ?? null;
};

import type { TransactionSql } from '../client/index.js';
import { timestamp } from '../live/index.js';
import type { Structured } from '../record/index.js';

const columns = `id, coalesce(started_at, created_at) as begun, coalesce(finished_at, last_speech_at) as ended,
  coalesce(split_from, id) as origin, folder_id, starred, structured, uses_custom_stt,
  external_data ? 'text' as is_text`;

/** A conversation that is split or merged. */
export interface DividedConversation {
  readonly id: string;
  readonly begun: Date;
  readonly ended: Date;
  /** The conversation that all parts were split from; its own id if it was never split. */
  readonly origin: string;
  readonly folder_id: string | null;
  readonly starred: boolean;
  readonly structured: Partial<Structured> | null;
  readonly uses_custom_stt: boolean;
  /** Whether a request supplied a text instead of segments. */
  readonly is_text: boolean | null;
}

/** Reads a conversation that this transaction has locked. */
export const dividedConversation = async (sql: TransactionSql, id: string): Promise<DividedConversation> => {
  const [row] = await sql<DividedConversation[]>`
    select ${sql.unsafe(columns)} from conversations where id = ${id}`;
  return row!;
};

/**
 * Inserts a completed conversation for the second part of a split conversation, with the same source, language and
 * folder.
 */
export const insertPart = async (
  sql: TransactionSql,
  id: string,
  from: DividedConversation,
  begun: number,
  structured: Structured,
): Promise<void> => {
  await sql`
    insert into conversations (id, uid, status, source, language, client_device_id, client_platform, clock,
      uses_custom_stt, timeout_seconds, geolocation, created_at, started_at, finished_at, last_speech_at, structured,
      discarded, discarded_by_user, folder_id, epoch, speech_probability, split_from, completed_at)
    select ${id}, uid, 'completed', source, language, client_device_id, client_platform, clock, uses_custom_stt,
      timeout_seconds, geolocation, ${timestamp(sql, begun)}, ${timestamp(sql, begun)},
      greatest(${from.ended}, ${timestamp(sql, begun)}), greatest(last_speech_at, ${timestamp(sql, begun)}),
      ${sql.json(structured as never)}, discarded, discarded_by_user, folder_id, epoch, speech_probability,
      ${from.origin}, now()
    from conversations where id = ${from.id}`;
};

/** Sets when a conversation began and ended, in ms since the epoch. */
export const placeConversation = async (
  sql: TransactionSql,
  id: string,
  begun: number,
  ended: number,
): Promise<void> => {
  await sql`
    update conversations set started_at = ${timestamp(sql, begun)}, finished_at = ${timestamp(sql, ended)},
      last_speech_at = ${timestamp(sql, ended)}, updated_at = now()
    where id = ${id}`;
};

/**
 * Moves the photos of a conversation that were taken at or after `from` (ms since the epoch) to another conversation.
 */
export const movePhotos = async (
  sql: TransactionSql,
  id: string,
  to: string,
  from = Number.NEGATIVE_INFINITY,
): Promise<void> => {
  await sql`
    update photos set conversation_id = ${to}
    where conversation_id = ${id} and created_at >= ${Number.isFinite(from) ? timestamp(sql, from) : sql`'-infinity'`}`;
};

/** A task or a memory that was found in a conversation. */
export interface FoundRecord {
  readonly id: string;
  readonly text: string;
}

/** Reads the tasks or memories that were found in a conversation. */
export const foundIn = async (
  sql: TransactionSql,
  table: 'action_items' | 'memories',
  uid: string,
  id: string,
): Promise<FoundRecord[]> => [
  ...(await sql<FoundRecord[]>`
    select id, ${sql(table === 'memories' ? 'content' : 'description')} as text from ${sql(table)}
    where uid = ${uid} and conversation_id = ${id} order by created_at, id`),
];

/**
 * Moves tasks or memories to another conversation. Their `updated_at` stays, so they still count as unchanged by their
 * user.
 */
export const moveFound = async (
  sql: TransactionSql,
  table: 'action_items' | 'memories',
  uid: string,
  ids: readonly string[],
  to: string,
): Promise<void> => {
  if (ids.length === 0) return;
  await sql`
    update ${sql(table)} set conversation_id = ${to} where uid = ${uid} and id = any(${ids as string[]}::uuid[])`;
};

/**
 * Adds the speech usage of a conversation to the usage of another conversation, so that the user's total usage stays
 * the same.
 */
export const moveUsage = async (sql: TransactionSql, id: string, to: string): Promise<void> => {
  await sql`
    with moved as (delete from speech_usage where conversation_id = ${id} returning *)
    insert into speech_usage (conversation_id, uid, day, provider, seconds, words)
    select ${to}, uid, day, provider, seconds, words from moved
    on conflict (conversation_id, day, provider) do update set
      seconds = speech_usage.seconds + excluded.seconds, words = speech_usage.words + excluded.words`;
};

/**
 * Ends a conversation whose segments, photos and records were moved to another conversation. Its row stays without
 * content, so that late words for it are stored in the other conversation.
 */
export const endMoved = async (sql: TransactionSql, id: string, into: string): Promise<void> => {
  await sql`
    update conversations set merged_into = ${into}, discarded = true, generated_by = 'merged', structured = null,
      title_by_user = null, geolocation = null, external_data = null, starred = false, folder_id = null,
      revision = revision + 1, updated_at = now()
    where id = ${id}`;
  await sql`update conversations set merged_into = ${into} where merged_into = ${id}`;
  await sql`
    update voice_profiles as v set conversation_id = ${into}
    where conversation_id = ${id} and not exists (
      select from voice_profiles other where other.conversation_id = ${into} and other.person_id = v.person_id)`;
  await sql`delete from steps where conversation_id = ${id}`;
};

/** Sets the star and the folder of a conversation after other conversations were merged into it. */
export const keepMarks = async (
  sql: TransactionSql,
  id: string,
  { starred, folder_id }: Pick<DividedConversation, 'starred' | 'folder_id'>,
): Promise<void> => {
  await sql`update conversations set starred = ${starred}, folder_id = ${folder_id} where id = ${id}`;
};

import { announce, firstRow, type TransactionSql } from '../client/index.js';
import { type FoundConversation, foundColumns } from '../conversations/index.js';

/** A conversation that is not in progress and was recorded by one device. */
export interface DeviceConversation extends FoundConversation {
  readonly revision: number;
  readonly speech_probability: number;
  /** Number of characters in its segments' texts. */
  readonly characters: number;
}

/** Maximum number of conversations that one conversation is compared with. */
const mostCompared = 4;

/**
 * Finds conversations that other devices of the user recorded at the same time, longest overlap first. Finds only
 * conversations of streams. Locked, deleted and merged conversations are left out. Conversations that the user has
 * corrected are left out too, because a merge could replace their segments.
 */
export const besideConversation = async (sql: TransactionSql, uid: string, id: string): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select o.id from conversations c
      join conversations o on o.uid = c.uid and o.id <> c.id
        and o.created_at between c.created_at - interval '1 day' and coalesce(c.finished_at, c.last_speech_at)
    where c.id = ${id} and c.uid = ${uid} and c.speech_probability is not null and not c.is_locked and c.clock = 'device'
      and o.speech_probability is not null and not o.is_locked and o.clock = 'device'
      and o.status in ('processing', 'completed') and o.deleted_at is null and o.merged_into is null
      and (o.source, o.client_device_id) is distinct from (c.source, c.client_device_id)
      and o.started_at <= coalesce(c.finished_at, c.last_speech_at)
      and coalesce(o.finished_at, o.last_speech_at) >= c.started_at
      and not exists (select from segments s where s.conversation_id in (c.id, o.id) and s.by_user)
    order by least(coalesce(o.finished_at, o.last_speech_at), coalesce(c.finished_at, c.last_speech_at))
      - greatest(o.started_at, c.started_at) desc, o.id
    limit ${mostCompared}`;
  return rows.map(({ id }) => id);
};

/**
 * Reads a conversation of a user, and locks its row until the transaction ends. Null when the conversation cannot be
 * merged: it is deleted, already merged, in progress, locked by the user's plan, or without a speech probability.
 */
export const lockDeviceConversation = (
  sql: TransactionSql,
  uid: string,
  id: string,
): Promise<DeviceConversation | null> =>
  firstRow(sql<DeviceConversation[]>`
    select ${sql.unsafe(foundColumns)}, revision, speech_probability::double precision, (
      select coalesce(sum(length(text)), 0) from segments s
      where s.conversation_id = conversations.id and not s.deleted)::double precision as characters
    from conversations
    where id = ${id} and uid = ${uid} and deleted_at is null and (merged_into is null or status = 'processing') and not is_locked
      and status in ('processing', 'completed') and started_at is not null and speech_probability is not null
    for update`);

/**
 * Ends a conversation that was merged into another. Its row keeps its transcript but is no longer listed. Its images
 * move to the other conversation. Conversations that were merged into it earlier now count as merged into the other
 * conversation.
 * @param probability new speech probability of the other conversation.
 */
export const endMerged = async (
  sql: TransactionSql,
  id: string,
  into: string,
  probability: number,
): Promise<void> => {
  await sql`
    update conversations set status = 'completed', merged_into = ${into}, discarded = coalesce(discarded_by_user, true),
      generated_by = 'merged', engine = null, claimed_at = null, processing_attempts = 0,
      revision = revision + 1, completed_at = now(), updated_at = now()
    where id = ${id}`;
  await sql`update conversations set merged_into = ${into} where merged_into = ${id}`;
  await sql`update conversations set speech_probability = ${probability} where id = ${into}`;
  await sql`update photos set conversation_id = ${into} where conversation_id = ${id}`;
  await announce(sql, 'conversation_completed', id);
};

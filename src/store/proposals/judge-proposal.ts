import type { TransactionSql } from '../client/index.js';
import type { ConversationStatus } from '../record/index.js';
import { conversationReferences } from './references.js';

/** The columns that a stream needs to continue a conversation in progress. */
export interface OpenRow {
  readonly id: string;
  readonly language: string;
  readonly client_platform: string | null;
  readonly uses_custom_stt: boolean;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly last_speech_at: Date;
  /** Milliseconds of speech by language code; null while all known speech has the language of the conversation. */
  readonly spoken_ms: Readonly<Record<string, number>> | null;
}

/** The columns of an `OpenRow` as a select list. */
export const openColumns =
  'id, language, client_platform, uses_custom_stt, created_at, started_at, last_speech_at, spoken_ms';

/**
 * The meaning of an id that a client proposes. `open`: a conversation in progress of the same user, source and device.
 * `past`: an ended conversation of the user. `free`: an unused id. `refused`: a conversation of the user that cannot be
 * continued, or an id of another user. A client cannot distinguish the two cases of `refused`.
 */
export type Proposal =
  | { readonly kind: 'open'; readonly row: OpenRow }
  | { readonly kind: 'past'; readonly status: Exclude<ConversationStatus, 'in_progress'> }
  | { readonly kind: 'free' }
  | { readonly kind: 'refused' };

interface OwnRow extends OpenRow {
  readonly status: ConversationStatus;
  readonly hidden: boolean;
  readonly same_key: boolean;
}

/**
 * Takes a lock for a conversation id, so that only one transaction at a time decides who gets an id without a row. The
 * lock is held until the transaction ends. Callers must take this lock after all other advisory locks of the
 * transaction.
 */
export const lockConversationId = async (sql: TransactionSql, id: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`conversation ${id}`}, 0))`;
};

/**
 * Decides whether a client may use the id that it proposes for its conversation. If the user has a conversation with
 * this id from the same source and device, its row is locked. Rows of other users are not locked, so a proposal cannot
 * delay the streams of other users. Rows of the user's other devices are not locked either, to avoid deadlocks with the
 * streams of those devices.
 * @param id a UUID.
 */
export const judgeProposal = async (
  sql: TransactionSql,
  id: string,
  key: { readonly uid: string; readonly source: string; readonly deviceId: string | null },
): Promise<Proposal> => {
  const { uid, source, deviceId } = key;
  await lockConversationId(sql, id);
  await sql`
    select from conversations where id = ${id} and uid = ${uid}
      and source = ${source} and client_device_id is not distinct from ${deviceId} for update`;
  const [own] = await sql<OwnRow[]>`
    select ${sql.unsafe(openColumns)}, status, deleted_at is not null or discarded or is_locked as hidden,
      source = ${source} and client_device_id is not distinct from ${deviceId} as same_key
    from conversations where id = ${id} and uid = ${uid}`;
  if (own === undefined) return { kind: (await isTaken(sql, id, uid)) ? 'refused' : 'free' };
  if (own.hidden) return { kind: 'refused' };
  if (own.status !== 'in_progress') return { kind: 'past', status: own.status };
  return own.same_key ? { kind: 'open', row: own } : { kind: 'refused' };
};

/** Checks whether another user has a conversation with this id, or a record that names the id. */
const isTaken = async (sql: TransactionSql, id: string, uid: string): Promise<boolean> => {
  const named = conversationReferences.map(
    ({ table, column }) => `or exists (select from ${table} where ${column} = $1 and uid <> $2)`,
  );
  const [row] = await sql.unsafe<{ taken: boolean }[]>(
    `select exists (select from conversations where id = $1) ${named.join(' ')} as taken`,
    [id, uid],
  );
  return row!.taken;
};

import { validate as isUuid } from 'uuid';
import type { LiveSegment } from '../wire/segment.js';
import {
  type ConversationRecord,
  type ConversationStatus,
  emptyStructured,
  type Geolocation,
  isoUtc,
  type Structured,
} from './conversation-record.js';
import type { Sql } from './database.js';
import { insertSegments, segmentsOf } from './segments.js';

interface ConversationRow {
  readonly id: string;
  readonly status: ConversationStatus;
  readonly source: string;
  readonly language: string;
  readonly client_device_id: string | null;
  readonly client_platform: string | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
  readonly structured: Partial<Structured> | null;
  readonly generated_by: string | null;
  readonly geolocation: Geolocation | null;
  readonly external_data: Record<string, unknown> | null;
  readonly discarded: boolean;
  readonly starred: boolean;
  readonly is_locked: boolean;
  readonly folder_id: string | null;
  readonly updated_at: Date;
}

const columns = `id, status, source, language, client_device_id, client_platform, created_at, started_at, finished_at,
  structured, generated_by, geolocation, external_data, discarded, starred, is_locked, folder_id, updated_at`;

const record = (row: ConversationRow, transcript: readonly LiveSegment[] | null): ConversationRecord => ({
  id: row.id,
  created_at: isoUtc(row.created_at),
  updated_at: isoUtc(row.updated_at),
  started_at: row.started_at && isoUtc(row.started_at),
  finished_at: row.finished_at && isoUtc(row.finished_at),
  source: row.source,
  language: row.language,
  status: row.status,
  structured: { ...emptyStructured, ...row.structured },
  generated_by: row.generated_by,
  transcript_segments: transcript,
  geolocation: row.geolocation,
  photos: [],
  audio_files: [],
  apps_results: [],
  external_data: row.external_data,
  discarded: row.discarded,
  visibility: 'private',
  starred: row.starred,
  is_locked: row.is_locked,
  folder_id: row.folder_id,
  client_device_id: row.client_device_id,
  client_platform: row.client_platform,
});

/**
 * One conversation in any status; null when it is unknown, deleted, or does not belong to `uid`.
 * @param options.transcript whether to read the segments too; true when absent.
 */
export const readConversation = async (
  sql: Sql,
  id: string,
  options: { uid?: string; transcript?: boolean } = {},
): Promise<ConversationRecord | null> => {
  if (!isUuid(id)) return null;
  const owner = options.uid === undefined ? sql`` : sql`and uid = ${options.uid}`;
  const [row] = await sql<ConversationRow[]>`
    select ${sql.unsafe(columns)} from conversations where id = ${id} and deleted_at is null ${owner}`;
  if (!row) return null;
  const transcript = options.transcript === false ? null : (await segmentsOf(sql, [row.id])).get(row.id)!;
  return record(row, transcript);
};

export interface ConversationFilter {
  /** Inclusive bounds on `created_at`. */
  readonly from?: Date | null;
  readonly to?: Date | null;
  readonly categories?: readonly string[];
  readonly folderId?: string | null;
  readonly starred?: boolean | null;
  readonly limit: number;
  readonly offset: number;
  readonly transcript: boolean;
}

/** A page of a user's completed conversations that were not discarded, newest first. Filters combine. */
export const listConversations = async (
  sql: Sql,
  uid: string,
  filter: ConversationFilter,
): Promise<ConversationRecord[]> => {
  const { from, to, categories, folderId, starred } = filter;
  const rows = await sql<ConversationRow[]>`
    select ${sql.unsafe(columns)} from conversations
    where uid = ${uid} and status = 'completed' and not discarded and deleted_at is null
      ${from ? sql`and created_at >= ${from}` : sql``}
      ${to ? sql`and created_at <= ${to}` : sql``}
      ${categories?.length ? sql`and structured->>'category' in ${sql(categories as string[])}` : sql``}
      ${folderId ? sql`and folder_id::text = ${folderId}` : sql``}
      ${typeof starred === 'boolean' ? sql`and starred = ${starred}` : sql``}
    order by created_at desc, id desc limit ${filter.limit} offset ${filter.offset}`;
  const transcripts = filter.transcript
    ? await segmentsOf(
        sql,
        rows.map((row) => row.id),
      )
    : null;
  return rows.map((row) => record(row, transcripts?.get(row.id) ?? null));
};

/** A conversation that a request supplies complete with its transcript, instead of streaming it. */
export interface GivenConversation {
  readonly id: string;
  readonly uid: string;
  readonly source: string;
  readonly language: string;
  readonly clientDeviceId: string | null;
  readonly clientPlatform: string | null;
  readonly clientSessionId: string | null;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly geolocation: Geolocation | null;
  readonly segments: readonly LiveSegment[];
}

export interface Summary {
  readonly structured: Structured;
  readonly generatedBy: string;
  readonly discarded: boolean;
}

const insertRow = (sql: Sql, given: GivenConversation, claimant: string) => sql`
  insert into conversations (id, uid, status, source, language, client_device_id, client_platform, client_session_id,
    created_at, started_at, finished_at, last_speech_at, geolocation, engine, claimed_at)
  values (${given.id}, ${given.uid}, 'processing', ${given.source}, ${given.language}, ${given.clientDeviceId},
    ${given.clientPlatform}, ${given.clientSessionId}, ${given.startedAt}, ${given.startedAt}, ${given.finishedAt},
    ${given.finishedAt}, ${given.geolocation === null ? null : sql.json(given.geolocation as never)}, ${claimant}, now())
  on conflict do nothing returning id`;

export interface ExistingConversation {
  readonly id: string;
  readonly status: ConversationStatus;
  readonly discarded: boolean;
  readonly deleted: boolean;
}

/** Seconds after which the claim of a request that has not finished counts as abandoned. */
const claimExpiry = 15 * 60;

/** The condition under which a claimed row of conversations was abandoned. */
export const claimAbandoned = (sql: Sql) => sql`
  status = 'processing' and client_session_id is not null and deleted_at is null
    and claimed_at < now() - make_interval(secs => ${claimExpiry})`;

/**
 * Claims the id of a supplied conversation: only one of several requests with the same client session succeeds. A claim
 * that was abandoned is taken over.
 * @param claimant names this attempt; `completeGiven` only succeeds for the attempt that holds the claim.
 * @returns null when the claim succeeded, otherwise the row of the current holder; `vanished` when that holder has just
 *   given its claim back.
 */
export const claimGiven = async (
  sql: Sql,
  given: GivenConversation,
  claimant: string,
): Promise<ExistingConversation | null | 'vanished'> => {
  await sql`
    delete from conversations
    where id = ${given.id} and client_session_id = ${given.clientSessionId} and ${claimAbandoned(sql)}`;
  if ((await insertRow(sql, given, claimant)).length > 0) return null;
  const [row] = await sql<ExistingConversation[]>`
    select id, status, discarded, deleted_at is not null as deleted from conversations where id = ${given.id}`;
  return row ?? 'vanished';
};

/** Gives a claim back after a failure, so that a retry starts anew. */
export const releaseGiven = async (sql: Sql, id: string, claimant: string): Promise<void> => {
  await sql`delete from conversations where id = ${id} and engine = ${claimant} and status = 'processing'`;
};

const completion = (sql: Sql, summary: Summary) => sql`
  status = 'completed', structured = ${sql.json(summary.structured as never)}, generated_by = ${summary.generatedBy},
  discarded = ${summary.discarded}, engine = null, lease_expires_at = null, claimed_at = null,
  processing_attempts = 0, completed_at = now(), updated_at = now()`;

const announce = (sql: Sql, id: string) => sql`select pg_notify('conversation_completed', ${id})`;

/**
 * Stores transcript and summary of a supplied conversation in one transaction, so that no reader sees one without the other.
 * @returns false when the claim was taken over meanwhile.
 */
export const completeGiven = async (
  sql: Sql,
  given: GivenConversation,
  claimant: string,
  summary: Summary,
): Promise<boolean> =>
  (await sql.begin(async (begun) => {
    const transaction = begun as unknown as Sql;
    if (given.clientSessionId === null) await insertRow(transaction, given, claimant);
    const done = await transaction`
      update conversations set ${completion(transaction, summary)}
      where id = ${given.id} and engine = ${claimant} and status = 'processing' returning id`;
    if (done.length === 0) return false;
    await insertSegments(transaction, given.id, given.segments);
    await announce(transaction, given.id);
    return true;
  })) as boolean;

/** The values of a finished conversation that the pipeline needs. */
export interface ClaimedConversation {
  readonly id: string;
  readonly uid: string;
  readonly language: string;
  readonly source: string;
  readonly started_at: Date | null;
  readonly created_at: Date;
  readonly finished_at: Date | null;
  readonly revision: number;
  readonly processing_attempts: number;
}

/** Claims a conversation that waits for its summary; null when it does not wait for one. */
export const claimFinished = async (sql: Sql, id: string): Promise<ClaimedConversation | null> => {
  const [row] = await sql<ClaimedConversation[]>`
    update conversations set claimed_at = now(), processing_attempts = processing_attempts + 1
    where id = ${id} and status = 'processing' and client_session_id is null and deleted_at is null
    returning id, uid, language, source, started_at, created_at, finished_at, revision, processing_attempts`;
  return row ?? null;
};

/**
 * Stores the summary of a conversation and announces it.
 * @returns false when the conversation has changed since it was claimed; another job processes it again.
 */
export const completeFinished = async (
  sql: Sql,
  claimed: ClaimedConversation,
  summary: Summary,
): Promise<boolean> =>
  (await sql.begin(async (begun) => {
    const transaction = begun as unknown as Sql;
    const done = await transaction`
      update conversations set ${completion(transaction, summary)},
        finished_at = greatest(finished_at, last_speech_at)
      where id = ${claimed.id} and status = 'processing' and revision = ${claimed.revision} returning id`;
    if (done.length === 0) return false;
    await announce(transaction, claimed.id);
    return true;
  })) as boolean;

/** Marks a conversation as failed when its summary cannot be made. Its transcript can still be read by id. */
export const failFinished = async (sql: Sql, claimed: ClaimedConversation): Promise<void> => {
  await sql`
    update conversations set status = 'failed', claimed_at = null, updated_at = now()
    where id = ${claimed.id} and status = 'processing' and revision = ${claimed.revision}`;
};

/** Removes a conversation in which nothing was said. */
export const deleteEmpty = async (sql: Sql, claimed: ClaimedConversation): Promise<void> => {
  await sql`
    delete from conversations c where id = ${claimed.id} and status = 'processing' and revision = ${claimed.revision}
      and not exists (select 1 from segments s where s.conversation_id = c.id and not s.deleted)`;
};

/** The id of a user's newest completed conversation. */
export const lastCompletedConversation = async (sql: Sql, uid: string): Promise<string | null> => {
  const [row] = await sql<{ id: string }[]>`
    select id from conversations
    where uid = ${uid} and status = 'completed' and deleted_at is null and not discarded
    order by created_at desc, id desc limit 1`;
  return row?.id ?? null;
};

/** Which of these conversations the pipeline has completed or marked as failed. */
export const settledConversations = async (sql: Sql, ids: readonly string[]): Promise<string[]> => {
  const rows = await sql<{ id: string; status: string }[]>`
    select id, status from conversations where id in ${sql(ids as string[])} and status in ('completed', 'failed')`;
  return rows.map(({ id }) => id);
};

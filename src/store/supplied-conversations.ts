import type { LiveSegment } from '../wire/segment.js';
import { announce, completion, prepareFiling, type Summary } from './conversation-completion.js';
import type { ConversationStatus, Geolocation } from './conversation-record.js';
import type { Sql } from './database.js';
import { insertSegments } from './segments.js';

/** A conversation that a request supplies complete with its transcript, instead of streaming it, or as a text. */
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
  /** What the request said beside the transcript; null when nothing. */
  readonly externalData: Readonly<Record<string, unknown>> | null;
}

const jsonOrNull = (sql: Sql, value: object | null) => (value === null ? null : sql.json(value as never));

const insertRow = (sql: Sql, given: GivenConversation, claimant: string) => sql`
  insert into conversations (id, uid, status, source, language, client_device_id, client_platform, client_session_id,
    created_at, started_at, finished_at, last_speech_at, geolocation, external_data, engine, claimed_at)
  values (${given.id}, ${given.uid}, 'processing', ${given.source}, ${given.language}, ${given.clientDeviceId},
    ${given.clientPlatform}, ${given.clientSessionId}, ${given.startedAt}, ${given.startedAt}, ${given.finishedAt},
    ${given.finishedAt}, ${jsonOrNull(sql, given.geolocation)}, ${jsonOrNull(sql, given.externalData)}, ${claimant}, now())
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
    await prepareFiling(transaction, given.uid, summary);
    if (given.clientSessionId === null) await insertRow(transaction, given, claimant);
    const done = await transaction`
      update conversations set ${completion(transaction, summary)}
      where id = ${given.id} and engine = ${claimant} and status = 'processing' and deleted_at is null returning id`;
    if (done.length === 0) return false;
    await insertSegments(transaction, given.id, given.segments);
    await announce(transaction, given.id);
    return true;
  })) as boolean;

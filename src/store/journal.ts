import { leaseKey, rescuedSegmentId } from '../wire/lease-key.js';
import type { StoredSegment } from '../wire/segment.js';
import type { BegunConversation, SegmentRow, SpilledChange } from '../wire/spill.js';
import type { Sql, TransactionSql } from './database.js';
import { epochStep } from './epoch.js';
import {
  liveSegment,
  type TranscriptRow,
  transcriptColumns,
  upsertSegments,
  type WrittenRow,
  writtenRow,
} from './segments.js';

/** The statements of the journal. Every one may be repeated: revisions, epochs and statuses make the second a no-op. */

/** Who holds a lease and for how long (ms) it is given. */
export interface Holder {
  readonly engine: string;
  readonly leaseDuration: number;
}

export interface TakenConversation {
  readonly id: string;
  readonly epoch: number;
  readonly resumed: boolean;
  /** How the row began; with the timeout and provider kind of the stream that resumed it. */
  readonly conversation: BegunConversation;
  readonly startedAt: number | null;
  readonly lastSpeechAt: number;
  readonly tail: StoredSegment | null;
  readonly segmentCount: number;
  readonly characters: number;
  /** Older conversations of the same key that were handed to processing on the way. */
  readonly finished: readonly string[];
}

interface OpenRow {
  readonly id: string;
  readonly language: string;
  readonly client_platform: string | null;
  readonly uses_custom_stt: boolean;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly last_speech_at: Date;
}

const timestamp = (sql: Sql | TransactionSql, ms: number | null) =>
  ms === null ? sql`null::timestamptz` : sql`to_timestamp(${ms / 1000}::double precision)`;

const leaseEnd = (sql: Sql | TransactionSql, holder: Holder) =>
  sql`now() + make_interval(secs => ${holder.leaseDuration / 1000}::double precision)`;

/** Conversations of one key that an opener looks at; more are left to the sweep. */
const mostTaken = 20;

/**
 * Continues the newest in-progress conversation of a key if its silence is shorter than the timeout asked for, else
 * begins `begun`. Others of the key, too old or superseded, are ended. An advisory lock orders openers of one key.
 */
export const takeConversation = (
  sql: Sql,
  begun: BegunConversation,
  holder: Holder,
): Promise<TakenConversation> =>
  sql.begin(async (transaction) => {
    const key = JSON.stringify([begun.uid, begun.source, begun.deviceId]);
    await transaction`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
    const rows = await transaction<OpenRow[]>`
      select id, language, client_platform, uses_custom_stt, created_at, started_at, last_speech_at
      from conversations
      where uid = ${begun.uid} and source = ${begun.source}
        and client_device_id is not distinct from ${begun.deviceId} and status = 'in_progress'
        and deleted_at is null and not discarded and not is_locked
      order by created_at desc, id limit ${mostTaken} for update`;
    const newest = rows[0];
    const continued =
      newest && begun.createdAt - newest.last_speech_at.getTime() < begun.timeout * 1000 ? newest : undefined;
    const finished: string[] = [];
    for (const row of rows) {
      if (row === continued) continue;
      const ended = await endConversation(transaction, row.id, null, row.last_speech_at.getTime());
      if (ended === 'processing') finished.push(row.id);
    }
    if (continued !== undefined) return resumeConversation(transaction, continued, begun, holder, finished);
    await beginConversation(transaction, begun, holder);
    return newlyTaken(begun, finished);
  }) as Promise<TakenConversation>;

/** A conversation that was just begun, as its taker sees it. */
export const newlyTaken = (
  begun: BegunConversation,
  finished: readonly string[] = [],
): TakenConversation => ({
  id: begun.id,
  epoch: 1,
  resumed: false,
  conversation: begun,
  startedAt: null,
  lastSpeechAt: begun.createdAt,
  tail: null,
  segmentCount: 0,
  characters: 0,
  finished,
});

const resumeConversation = async (
  sql: TransactionSql,
  row: OpenRow,
  begun: BegunConversation,
  holder: Holder,
  finished: readonly string[],
): Promise<TakenConversation> => {
  const usesCustomStt = row.uses_custom_stt || begun.usesCustomStt;
  const { floor, step } = epochStep();
  const [updated] = await sql<{ epoch: number }[]>`
    update conversations set epoch = greatest(epoch, ${floor}::bigint) + ${step}::bigint, engine = ${holder.engine}, lease_expires_at = ${leaseEnd(sql, holder)},
      timeout_seconds = ${begun.timeout}, uses_custom_stt = ${usesCustomStt}, updated_at = now()
    where id = ${row.id} returning epoch`;
  const [tail] = await sql<TailRow[]>`
    select ${sql.unsafe(transcriptColumns)}, position, revision, count(*) over ()::integer as total, (sum(length(text) + length(speaker)
      + coalesce(length(person_id), 0) + coalesce(length(stt_provider), 0)) over ())::double precision as characters from segments
    where conversation_id = ${row.id} and not deleted order by position desc, id desc limit 1`;
  return {
    id: row.id,
    epoch: updated!.epoch,
    resumed: true,
    conversation: {
      ...begun,
      id: row.id,
      language: row.language,
      clientPlatform: row.client_platform,
      usesCustomStt,
      createdAt: row.created_at.getTime(),
    },
    startedAt: row.started_at?.getTime() ?? null,
    lastSpeechAt: row.last_speech_at.getTime(),
    tail: tail === undefined ? null : tailOf(tail),
    segmentCount: tail?.total ?? 0,
    characters: tail?.characters ?? 0,
    finished,
  };
};

interface TailRow extends TranscriptRow {
  readonly position: number;
  readonly revision: number;
  readonly total: number;
  readonly characters: number;
}

const tailOf = (row: TailRow): StoredSegment => ({
  position: row.position,
  revision: row.revision,
  segment: liveSegment(row),
});

/**
 * Inserts a conversation in progress. Nothing happens when its id is there already.
 * @param epoch of the lease under which it is written; 1, the first, when absent: an id is begun once.
 */
export const beginConversation = async (
  sql: Sql | TransactionSql,
  begun: BegunConversation,
  holder: Holder,
  epoch = 1,
): Promise<void> => {
  await sql`
    insert into conversations (id, uid, status, source, language, client_device_id, client_platform, uses_custom_stt,
      created_at, last_speech_at, timeout_seconds, engine, epoch, lease_expires_at)
    values (${begun.id}, ${begun.uid}, 'in_progress', ${begun.source}, ${begun.language}, ${begun.deviceId},
      ${begun.clientPlatform}, ${begun.usesCustomStt}, ${timestamp(sql, begun.createdAt)},
      ${timestamp(sql, begun.createdAt)}, ${begun.timeout}, ${holder.engine}, ${epoch},
      ${leaseEnd(sql, holder)})
    on conflict (id) do nothing`;
};

const rowsOf = ({ conversation, epoch, rows }: SpilledChange): WrittenRow[] =>
  rows.map((row) => writtenRow(conversation.id, epoch, row));

/**
 * Writes the changes of a tick in one statement: those whose epoch still holds, whose conversation is in progress.
 * @param changes at most one for each conversation and epoch, at most one row for each segment.
 * @returns the `id:epoch` of those written; the others are fenced and left nothing behind.
 */
export const commitChanges = async (
  sql: Sql | TransactionSql,
  changes: readonly SpilledChange[],
  holder: Holder,
): Promise<ReadonlySet<string>> => {
  const heads = changes.map((change) => ({
    id: change.conversation.id,
    epoch: change.epoch,
    started: change.startedAt,
    last_speech: change.lastSpeechAt,
  }));
  const owned = await sql<{ id: string; epoch: number }[]>`
    with owned as (
      update conversations as c set
        started_at = coalesce(c.started_at, to_timestamp(head.started / 1000)),
        last_speech_at = greatest(c.last_speech_at, to_timestamp(head.last_speech / 1000)),
        engine = ${holder.engine}, lease_expires_at = ${leaseEnd(sql, holder)}, updated_at = now()
      from jsonb_to_recordset(${sql.json(heads)})
        as head(id uuid, epoch bigint, started double precision, last_speech double precision)
      where c.id = head.id and c.epoch = head.epoch and c.status = 'in_progress' and c.deleted_at is null
      returning c.id, c.epoch
    ), written as (${upsertSegments(sql, changes.flatMap(rowsOf), 'owned')})
    select id, epoch from owned`;
  return new Set(owned.map(({ id, epoch }) => leaseKey(id, epoch)));
};

/**
 * Writes an acknowledged change although its epoch no longer holds: its segments by revision, nothing of the lease.
 * A conversation that went on to processing without them goes there again; one that was removed because nothing
 * seemed to have been said is made again. One its user deleted stays deleted.
 */
export const commitFencedChange = async (
  sql: TransactionSql,
  change: SpilledChange,
  holder: Holder,
): Promise<void> => {
  if (change.rows.length === 0) return;
  await beginLocked(sql, change, { ...holder, leaseDuration: 0 });
  const rows = await rescueOverruled(sql, change);
  const changed = await upsertSegments(sql, rowsOf({ ...change, rows }), 'conversations');
  await sql`
    update conversations set started_at = coalesce(started_at, ${timestamp(sql, change.startedAt)}),
      last_speech_at = greatest(last_speech_at, ${timestamp(sql, change.lastSpeechAt)})
    where id = ${change.conversation.id}`;
  if (changed.length === 0) return;
  await sql`
    with again as (
      update conversations set status = 'processing', revision = revision + 1, claimed_at = null, updated_at = now()
      where id = ${change.conversation.id} and status <> 'in_progress' and deleted_at is null
      returning id
    )
    select pg_notify('conversation_finished', id::text) from again`;
};

/**
 * Begins a conversation unless it is there, and locks it: a sweep that runs at the same time may just be removing it.
 * It gets the epoch of the change, so that earlier leases stay fenced when the database has forgotten the row.
 */
const beginLocked = async (
  sql: TransactionSql,
  { conversation, epoch }: SpilledChange,
  holder: Holder,
): Promise<void> => {
  for (;;) {
    await beginConversation(sql, conversation, holder, epoch);
    const locked = await sql`select 1 from conversations where id = ${conversation.id} for no key update`;
    if (locked.length > 0) return;
  }
};

/**
 * Two owners may both have continued the same last segment. The other one's text stands; what this change added to the
 * words they share becomes a segment of its own beside it, under an id that a repetition finds again.
 */
const rescueOverruled = async (sql: TransactionSql, change: SpilledChange): Promise<SegmentRow[]> => {
  const ids = change.rows.map(({ id }) => id);
  const stored = await sql<{ id: string; text: string; revision: number; epoch: number }[]>`
    select id, text, revision, epoch from segments
    where conversation_id = ${change.conversation.id} and id = any(${ids}) for update`;
  const byId = new Map(stored.map((row) => [row.id, row]));
  return change.rows.flatMap((row) => {
    const other = byId.get(row.id);
    if (other === undefined || other.revision < row.revision || other.epoch === change.epoch) return [row];
    if (row.segment === null) return [];
    const text = withoutSharedWords(row.segment.text, other.text);
    if (text === '') return [];
    const id = rescuedSegmentId(row.id, change.epoch);
    return [{ ...row, id, position: row.position + 0.5, segment: { ...row.segment, id, text } }];
  });
};

const withoutSharedWords = (text: string, other: string): string => {
  const words = text.split(' ');
  const others = other.split(' ');
  const different = words.findIndex((word, index) => word !== others[index]);
  return different === -1 ? '' : words.slice(different).join(' ');
};

/**
 * Ends a conversation in progress: to `processing`, with its notification, when it has segments; removed when not.
 * The row is locked by a statement of its own: the next one then sees every segment, also one that another engine
 * committed while this one waited for the lock, and none can be added meanwhile.
 * @param epoch the lease's; null ends it whichever lease holds it.
 * @returns undefined when the epoch no longer holds or the conversation was ended before.
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
  const [row] = await sql<{ spoken: boolean }[]>`
    with target as (
      select exists (select 1 from segments where conversation_id = ${id} and not deleted) as spoken
    ), processed as (
      update conversations c set status = 'processing', epoch = c.epoch + 1, engine = null, lease_expires_at = null,
        finished_at = ${timestamp(sql, finishedAt)}, updated_at = now()
      from target where c.id = ${id} and target.spoken
      returning c.id
    ), removed as (
      delete from conversations c using target where c.id = ${id} and not target.spoken
    ), told as (
      select pg_notify('conversation_finished', id::text) from processed
    )
    select spoken, (select count(*) from told) as told from target`;
  return row!.spoken ? 'processing' : 'deleted';
};

/**
 * Renews leases. Returns the `id:epoch` of those that still hold. A row that another transaction has locked is not
 * waited for: it is written by a commit, which renews as well, or being taken over, which the next round sees. Two
 * statements over the same rows in different orders would else meet in a deadlock.
 */
export const renewLeases = async (
  sql: Sql,
  leases: readonly { readonly id: string; readonly epoch: number }[],
  holder: Holder,
): Promise<ReadonlySet<string>> => {
  const held = await sql<{ id: string; epoch: number }[]>`
    with held as (
      select c.id, c.epoch from conversations c
      join jsonb_to_recordset(${sql.json(leases as never)}) as lease(id uuid, epoch bigint)
        on c.id = lease.id and c.epoch = lease.epoch and c.status = 'in_progress'
    ), free as (
      select id from conversations where id in (select id from held) for no key update skip locked
    ), renewed as (
      update conversations as c set lease_expires_at = ${leaseEnd(sql, holder)}, engine = ${holder.engine}
      from held, free where c.id = held.id and c.id = free.id and c.epoch = held.epoch and c.status = 'in_progress'
    )
    select id, epoch from held`;
  return new Set(held.map(({ id, epoch }) => leaseKey(id, epoch)));
};

/** Gives a lease back: the conversation stays in progress, anybody may take it over. */
export const releaseLease = async (sql: Sql | TransactionSql, id: string, epoch: number): Promise<void> => {
  await sql`
    update conversations set engine = null, lease_expires_at = now()
    where id = ${id} and epoch = ${epoch} and status = 'in_progress'`;
};

/** The id of a user's newest completed conversation. */
export const lastCompletedConversation = async (sql: Sql, uid: string): Promise<string | null> => {
  const [row] = await sql<{ id: string }[]>`
    select id from conversations
    where uid = ${uid} and status = 'completed' and deleted_at is null and not discarded
    order by created_at desc, id desc limit 1`;
  return row?.id ?? null;
};

/** Which of these conversations have been through the pipeline, or are gone. */
export const settledConversations = async (sql: Sql, ids: readonly string[]): Promise<string[]> => {
  const rows = await sql<{ id: string; status: string }[]>`
    select id, status from conversations where id in ${sql(ids as string[])} and status in ('completed', 'failed')`;
  return rows.map(({ id }) => id);
};

/** Keeps only the largest revision of each segment: one statement must not touch a row twice. */
export const newestRows = (rows: readonly SegmentRow[]): SegmentRow[] => {
  const newest = new Map<string, SegmentRow>();
  for (const row of rows) {
    const other = newest.get(row.id);
    if (other === undefined || other.revision < row.revision) newest.set(row.id, row);
  }
  return [...newest.values()];
};

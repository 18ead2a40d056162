import { automaticLanguage, type StoredSegment } from '../../wire/index.js';
import type { BegunConversation } from '../../wire/spill/index.js';
import { announcing, hasRows, type Sql, type TransactionSql } from '../client/index.js';
import { judgeProposal, type OpenRow, openColumns } from '../proposals/index.js';
import type { ConversationStatus } from '../record/index.js';
import {
  type SpeakerLabel,
  type SpeakerName,
  type StoredRow,
  speakerLabels,
  speakerNames,
  storedSegment,
  transcriptColumns,
} from '../segments/index.js';
import { type StoredVoices, voicesOf } from './conversation-voices.js';
import type { Holder } from './engine-leases.js';
import { epochStep, firstEpoch } from './epoch.js';

/**
 * Conversations in progress: begin, take over, release, end. Every statement may be repeated: epochs and statuses make
 * the second run change nothing.
 */

export interface TakenConversation {
  readonly id: string;
  readonly epoch: number;
  readonly resumed: boolean;
  /**
   * The values of the conversation's row. The timeout is that of the resuming stream. `usesCustomStt` is true if it is
   * true in the row or for the stream.
   */
  readonly conversation: BegunConversation;
  /** Code of the language of most speech. If no speech has a known language, it is the language of the first stream. */
  readonly language: string;
  /** Milliseconds of speech by language code, without speech whose language is unknown. */
  readonly spoken: Readonly<Record<string, number>>;
  /** Wall clock of the segments' time 0 (ms since the epoch); null while there are no segments. */
  readonly startedAt: number | null;
  /** Wall clock of the last speech (ms since the epoch). */
  readonly lastSpeechAt: number;
  /** The last stored segment, which new words may continue; null when there is none. */
  readonly tail: StoredSegment | null;
  /**
   * Whether the tail must not change, because the spill of an earlier holder may still change it. That spill may also
   * contain segments that follow the tail.
   */
  readonly isTailClosed: boolean;
  readonly segmentCount: number;
  /** Number of characters in the segments' texts and names. */
  readonly characters: number;
  /** The names that the conversation's speakers were attributed to. */
  readonly speakers: readonly SpeakerName[];
  /** Labels and numbers of the conversation's speakers, when a client transcribes it. */
  readonly labels: readonly SpeakerLabel[];
  /** Number for the next speaker. It is greater than every speaker's number. */
  readonly nextSpeaker: number;
  /** Voices of the speakers, if the caller asked for them and they are stored; else null. */
  readonly voices: StoredVoices | null;
  /** Older conversations of the same key that were ended and now have the status `processing`. */
  readonly finished: readonly string[];
  /** If the client proposed the id of an ended conversation: that conversation. Otherwise null. */
  readonly past: PastConversation | null;
  /**
   * When the conversation was taken: microseconds of the database's clock. It orders the streams of a key, also if they
   * have different conversations. Absent if the conversation was begun without `takeConversation`.
   */
  readonly takenAt?: number;
}

/** An ended conversation that a client asked for. */
export interface PastConversation {
  readonly id: string;
  readonly status: Exclude<ConversationStatus, 'in_progress'>;
}

/** Returns SQL for a `timestamptz` from ms since the Unix epoch. */
export const timestamp = (sql: Sql | TransactionSql, ms: number | null) =>
  ms === null ? sql`null::timestamptz` : sql`to_timestamp(${ms / 1000}::double precision)`;

/**
 * Returns an SQL expression for the time when a conversation `c` ended. Usually this is the last speech. If a client
 * transcribes itself, the end of the last segment counts instead, because the client may send words faster than they
 * were spoken.
 */
export const endOfSpeech = (sql: TransactionSql, lastSpeech: ReturnType<typeof timestamp>) => sql`
  greatest(c.started_at, case when c.uses_custom_stt then coalesce(
    c.started_at + make_interval(secs => (
      select max(s.end_seconds) from segments s where s.conversation_id = c.id and not s.deleted)), ${lastSpeech})
    else ${lastSpeech} end)`;

/**
 * Maximum number of conversations of one key that `takeConversation` examines. Further conversations are left to the
 * sweep.
 */
const mostTaken = 20;

/**
 * Continues a conversation, or begins one. The key of a conversation is its user, source and device.
 *
 * The newest in-progress conversation of the key is continued if it has been silent for less than the
 * requested timeout. Otherwise inserts `begun`. Ends all other conversations of the key. An advisory lock
 * serializes the streams that open a conversation of a key.
 *
 * With a proposed id, only the conversation with that id is continued. If no conversation has the id, the new
 * conversation gets it. In all other cases `begun` is inserted with its own id.
 * @param proposed a UUID; null when the client proposes none.
 * @param readsVoices whether to read the stored voices of a continued conversation.
 * @returns null when the account of the user is deleted.
 */
export const takeConversation = (
  sql: Sql,
  begun: BegunConversation,
  holder: Holder,
  proposed: string | null = null,
  readsVoices = false,
): Promise<TakenConversation | null> =>
  sql.begin(async (transaction) => {
    const key = JSON.stringify([begun.uid, begun.source, begun.deviceId]);
    // The clock is read after the lock, so that later streams of the key get later times.
    const [locked] = await transaction<{ taken_at: number }[]>`
      with locked as materialized (select pg_advisory_xact_lock(hashtextextended(${key}, 0)))
      select (extract(epoch from clock_timestamp()) * 1000000)::double precision as taken_at from locked`;
    const takenAt = Math.round(locked!.taken_at);
    const rows = await transaction<OpenRow[]>`
      select ${transaction.unsafe(openColumns)}
      from conversations
      where uid = ${begun.uid} and source = ${begun.source}
        and client_device_id is not distinct from ${begun.deviceId} and status = 'in_progress'
        and deleted_at is null and not discarded and not is_locked
      order by created_at desc, id limit ${mostTaken} for update`;
    const proposal = proposed === null ? null : await judgeProposal(transaction, proposed, begun);
    const asked = proposal?.kind === 'open' ? proposal.row : undefined;
    const wanted = proposal === null ? rows[0] : asked;
    const continued =
      wanted && begun.createdAt - wanted.last_speech_at.getTime() < begun.timeout * 1000 ? wanted : undefined;
    const ended = new Map<string, 'processing' | 'deleted' | undefined>();
    for (const row of [...rows, ...(asked ? [asked] : [])]) {
      if (row.id === continued?.id || ended.has(row.id)) continue;
      ended.set(row.id, await endConversation(transaction, row.id, null, row.last_speech_at.getTime()));
    }
    const finished = [...ended].filter(([, how]) => how === 'processing').map(([id]) => id);
    if (continued !== undefined) {
      const resumed = await resumeConversation(transaction, continued, begun, holder, readsVoices);
      return { ...resumed, finished, takenAt };
    }
    const howAsked = asked && ended.get(asked.id);
    let past: PastConversation | null = null;
    if (proposal?.kind === 'past') past = { id: proposed!, status: proposal.status };
    else if (howAsked === 'processing') past = { id: proposed!, status: 'processing' };
    // If the conversation with the proposed id was silent and empty, it was removed above, so its id is free.
    const isFree = proposal?.kind === 'free' || howAsked === 'deleted';
    const taken = await beginOne(transaction, begun, holder, isFree ? proposed : null, { finished, past });
    return taken && { ...taken, takenAt };
  }) as Promise<TakenConversation | null>;

/**
 * Inserts a conversation with the id that its client proposes, or with its own. A proposed id may have been
 * used before, and writers and jobs of that conversation may still run. So the row begins with an epoch and a revision
 * that no row has had, which fences all these writers and jobs.
 */
const beginOne = async (
  sql: TransactionSql,
  begun: BegunConversation,
  holder: Holder,
  proposed: string | null,
  rest: Pick<TakenConversation, 'finished' | 'past'>,
): Promise<TakenConversation | null> => {
  if (proposed !== null) {
    const named = { ...begun, id: proposed };
    const first = firstEpoch();
    if (await beginConversation(sql, named, holder, first, first))
      return { ...newlyTaken(named), ...rest, epoch: first };
  }
  // This line is also reached when a replay has just inserted a conversation with the proposed id.
  return (await beginConversation(sql, begun, holder)) ? { ...newlyTaken(begun), ...rest } : null;
};

/** Returns the result of `takeConversation` for a conversation that was just begun. */
export const newlyTaken = (begun: BegunConversation): TakenConversation => ({
  id: begun.id,
  epoch: 1,
  resumed: false,
  conversation: begun,
  language: begun.language,
  spoken: {},
  startedAt: null,
  lastSpeechAt: begun.createdAt,
  tail: null,
  isTailClosed: false,
  segmentCount: 0,
  characters: 0,
  speakers: [],
  labels: [],
  nextSpeaker: 0,
  voices: null,
  finished: [],
  past: null,
});

const resumeConversation = async (
  sql: TransactionSql,
  row: OpenRow,
  begun: BegunConversation,
  holder: Holder,
  readsVoices: boolean,
): Promise<TakenConversation> => {
  const usesCustomStt = row.uses_custom_stt || begun.usesCustomStt;
  const { floor, step } = epochStep();
  // If the last holder has released the conversation, or is this journal, all its words are stored. Then the new holder
  // may continue earlier segments, so `continued_from` stays.
  const [updated] = await sql<
    { epoch: number; continued_from: number; voices: Uint8Array | null; voices_epoch: number | null }[]
  >`
    update conversations c set epoch = greatest(c.epoch, ${floor}::bigint) + ${step}::bigint,
      continued_from = case when c.engine is null or c.engine = ${holder} then c.continued_from
        else greatest(c.epoch, ${floor}::bigint) + ${step}::bigint end,
      engine = ${holder}, timeout_seconds = ${begun.timeout}, uses_custom_stt = ${usesCustomStt}, updated_at = now()
    from (select ${readsVoices}::boolean as asked) as question
    left join (${voicesOf(sql, begun.uid, row.id)}) as kept on question.asked
    where c.id = ${row.id} returning c.epoch, c.continued_from, kept.voices, kept.epoch as voices_epoch`;
  const { voices, voices_epoch: voicesEpoch } = updated!;
  const [tail] = await sql<TailRow[]>`
    select ${sql.unsafe(transcriptColumns)}, position, revision, epoch, count(*) over ()::integer as total, max(speaker_id) over () as last_speaker, (sum(length(text) + length(speaker)
      + coalesce(length(person_id), 0) + coalesce(length(stt_provider), 0)) over ())::double precision as characters,
      (1000 * sum(greatest(0, end_seconds - start_seconds)) over ())::double precision as spoken from segments
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
    language: row.language,
    spoken: spokenBefore(row, tail?.spoken ?? 0),
    startedAt: row.started_at?.getTime() ?? null,
    lastSpeechAt: row.last_speech_at.getTime(),
    tail: tail === undefined ? null : storedSegment(tail),
    isTailClosed: (tail?.epoch ?? 0) < updated!.continued_from,
    segmentCount: tail?.total ?? 0,
    characters: tail?.characters ?? 0,
    nextSpeaker: tail === undefined ? 0 : tail.last_speaker + 1,
    voices: voices && { epoch: voicesEpoch!, voices },
    speakers: tail === undefined ? [] : await speakerNames(sql, row.id),
    labels: tail === undefined || !usesCustomStt ? [] : await speakerLabels(sql, row.id),
    finished: [],
    past: null,
  };
};

/**
 * Returns the ms of speech by language. The row has all lengths if several languages were spoken, because engines store
 * them with each change. For a single language the stored length may be old, so the length of all segments is used.
 * @param spoken length of all segments in ms.
 */
const spokenBefore = (
  { language, spoken_ms: times }: { language: string; spoken_ms: Readonly<Record<string, number>> | null },
  spoken: number,
): Readonly<Record<string, number>> => {
  if (times !== null && Object.keys(times).length > 1) return times;
  return spoken === 0 || language === automaticLanguage ? {} : { [language]: spoken };
};

interface TailRow extends StoredRow {
  readonly epoch: number;
  readonly total: number;
  readonly last_speaker: number;
  readonly characters: number;
  readonly spoken: number;
}

/**
 * Inserts a conversation in progress. Does nothing when its id exists already, or when the account of its user is
 * deleted.
 * @param epoch epoch of the conversation's lease; 1 when absent.
 * @param revision first revision; 1 when absent.
 * @returns whether the conversation was inserted.
 */
export const beginConversation = (
  sql: Sql | TransactionSql,
  begun: BegunConversation,
  holder: Holder,
  epoch = 1,
  revision = 1,
): Promise<boolean> =>
  hasRows(sql`
    insert into conversations (id, uid, status, source, language, client_device_id, client_platform, uses_custom_stt,
      created_at, last_speech_at, timeout_seconds, engine, epoch, revision)
    values (${begun.id}, ${begun.uid}, 'in_progress', ${begun.source}, ${begun.language}, ${begun.deviceId},
      ${begun.clientPlatform}, ${begun.usesCustomStt}, ${timestamp(sql, begun.createdAt)},
      ${timestamp(sql, begun.createdAt)}, ${begun.timeout}, ${holder}, ${epoch}, ${revision})
    on conflict (id) do nothing returning 1 as begun`);

/**
 * Ends a conversation in progress. A conversation with segments or photos gets the status `processing` and is
 * announced. Any other conversation is removed. A first statement locks the row. So the second statement, which
 * decides, also sees segments that another engine committed during the wait for the lock. No segment can be added
 * afterwards.
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

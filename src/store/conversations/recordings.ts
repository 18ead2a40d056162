import type { CochleaError } from '../../errors/index.js';
import type { StreamFormat } from '../../wire/index.js';
import type { RecordingClock } from '../../wire/records/index.js';
import { firstRow, hasRows, type Sql, type TransactionSql } from '../client/index.js';
import type { IncompleteFile, RefusedFile } from '../uploads/index.js';

/**
 * Minimum number of bytes with which each file counts against the quota, so that the quota also limits the number of
 * small files.
 */
export const countedBytes = 65_536;

/**
 * Returns the number of bytes that files at a storage location (`place`) count against the quotas: `all` for all users,
 * `own` for one user.
 */
export const recordingSpace = async (
  sql: Sql,
  place: string,
  uid: string,
): Promise<{ readonly all: number; readonly own: number }> => {
  const [row] = await sql<{ all_bytes: string; own_bytes: string }[]>`
    select coalesce(sum(counted), 0) as all_bytes, coalesce(sum(counted) filter (where uid = ${uid}), 0) as own_bytes
    from (select uid, greatest(bytes, ${countedBytes}) as counted from recordings
      where place = ${place} and state in ('waiting', 'dead')) as kept`;
  return { all: Number(row!.all_bytes), own: Number(row!.own_bytes) };
};

/** The progress of an uploaded recording. */
export interface RecordingProgress {
  readonly name: string;
  readonly state: 'waiting' | 'transcribed' | 'done' | 'dead';
  readonly attempts: number;
  readonly error: string | null;
  /** Details of `error`. */
  readonly error_details: Readonly<Record<string, string | number | boolean>>;
  readonly segments: number;
  readonly failed_segments: number;
  readonly new_conversations: readonly string[];
  readonly updated_conversations: readonly string[];
}

/** An upload and its progress. */
export interface StoredUpload {
  /** Progress of the upload's recordings, in the order of its files. */
  readonly recordings: readonly RecordingProgress[];
  readonly refused: readonly RefusedFile[];
  readonly incomplete: readonly IncompleteFile[];
}

/** Reads an upload; null when the user has no such upload. */
export const readUpload = async (sql: Sql, uid: string, id: string): Promise<StoredUpload | null> => {
  const rows = await sql<(RecordingProgress & Pick<StoredUpload, 'refused' | 'incomplete'>)[]>`
    select u.refused, u.incomplete, file.name, coalesce(r.state, 'done') as state, coalesce(r.attempts, 0) as attempts, r.error,
      coalesce(r.error_details, '{}') as error_details,
      coalesce(r.segments, 0) as segments, coalesce(r.failed_segments, 0) as failed_segments,
      coalesce(r.new_conversations, '{}') as new_conversations, coalesce(r.updated_conversations, '{}') as updated_conversations
    from recording_uploads u
      cross join unnest(u.names, u.recordings) with ordinality as file (name, recording, place)
      left join recordings r on r.id = file.recording
    where u.id = ${id} and u.uid = ${uid} order by file.place`;
  const [first] = rows;
  return first === undefined
    ? null
    : { recordings: rows, refused: first.refused, incomplete: first.incomplete };
};

/** Checks whether the user has this conversation and has not deleted it. */
export const hasConversation = async (sql: Sql, uid: string, id: string): Promise<boolean> => {
  const rows =
    await sql`select 1 from conversations where id = ${id} and uid = ${uid} and deleted_at is null`;
  return rows.length > 0;
};

/** A recording claimed by a worker. */
export interface ClaimedRecording {
  readonly id: string;
  readonly uid: string;
  readonly file: string;
  readonly codec: StreamFormat['codec'];
  readonly sample_rate: number;
  readonly channels: 1 | 2;
  readonly started_at: Date;
  /**
   * Number of attempts to transcribe the recording, including this one. `postponeRecording` may reduce this number
   * again.
   */
  readonly attempts: number;
  /** The user's language setting. */
  readonly language: string | null;
}

/**
 * Claims a recording that is due, from the user with the fewest running recordings. Among users with equally many,
 * takes the user whose last claim is oldest.
 * @param lease seconds after which the recording is due again unless `extendClaim` is called.
 */
export const claimRecording = (sql: Sql, place: string, lease: number): Promise<ClaimedRecording | null> =>
  firstRow(sql<ClaimedRecording[]>`
    with turn as (
      select waiting.uid from (
        select distinct uid from recordings where place = ${place} and state = 'waiting' and due_at <= now()) as waiting
      left join lateral (
        select max(claimed_at) as last, count(*) filter (where state = 'waiting' and due_at > now()) as running
        from recordings r where r.uid = waiting.uid and r.claimed_at > now() - interval '1 hour') as served on true
      order by served.running, served.last nulls first, waiting.uid limit 1),
    next as (
      select id from recordings
      where uid = (select uid from turn) and place = ${place} and state = 'waiting' and due_at <= now()
      order by started_at limit 1 for update skip locked)
    update recordings set attempts = attempts + 1, claimed_at = now(), due_at = now() + make_interval(secs => ${lease})
    where id in (select id from next)
    returning id, uid, file, codec, sample_rate, channels, started_at, attempts,
      (select language from users where users.uid = recordings.uid) as language`);

/**
 * Extends a worker's claim.
 * @returns false when the recording was removed with its account, or another attempt has claimed the recording
 */
export const extendClaim = (sql: Sql, id: string, attempts: number, lease: number): Promise<boolean> =>
  hasRows(sql`
    update recordings set due_at = now() + make_interval(secs => ${lease})
    where id = ${id} and state = 'waiting' and attempts = ${attempts} returning 1`);

/**
 * Puts a recording back into the queue.
 * @param counts whether the attempt counts against the maximum number of attempts. It counts when the recording itself
 *   may have caused the failure
 */
export const postponeRecording = async (
  sql: Sql,
  { id, attempts }: Pick<ClaimedRecording, 'id' | 'attempts'>,
  seconds: number,
  counts: boolean,
): Promise<void> => {
  await sql`
    update recordings set attempts = attempts - ${counts ? 0 : 1}, due_at = now() + make_interval(secs => ${seconds})
    where id = ${id} and state = 'waiting' and attempts = ${attempts}`;
};

/** Words and their wall-clock times (ms). */
export interface RecordedWords {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly provider: string;
  /** Name of the local model that decoded the words; absent if no local model did. */
  readonly model?: string;
}

/**
 * Stores the words of a recording. After this call the recording's file is no longer needed. A recording without words
 * gets the state `done`.
 * @param counts numbers of segments. `counts.error` says why segments failed; null when none failed.
 * @returns false when another attempt has claimed the recording, or the recording was removed.
 */
export const endTranscription = (
  sql: Sql,
  { id, attempts }: Pick<ClaimedRecording, 'id' | 'attempts'>,
  words: readonly RecordedWords[],
  counts: { readonly segments: number; readonly failed: number; readonly error: string | null },
): Promise<boolean> =>
  hasRows(sql`
    update recordings set state = ${words.length === 0 ? 'done' : 'transcribed'}, words = ${sql.json(words as never)},
      segments = ${counts.segments}, failed_segments = ${counts.failed}, error = ${counts.error}, due_at = now(),
      ended_at = case when ${words.length === 0} then now() end
    where id = ${id} and state = 'waiting' and attempts = ${attempts} returning 1`);

/** Gives up a recording. The file stays until the same recording is uploaded again or an operator runs the job again. */
export const giveUpRecording = async (
  sql: Sql,
  id: string,
  { code, details }: ReturnType<CochleaError['toJSON']>,
): Promise<void> => {
  await sql`
    update recordings set state = 'dead', error = ${code}, error_details = ${sql.json(details)}, ended_at = now() where id = ${id} and state = 'waiting'`;
};

/** A recording with words that are not yet in their conversations. */
export interface TranscribedRecording {
  readonly id: string;
  readonly uid: string;
  readonly source: string;
  readonly clock: RecordingClock;
  readonly conversation_id: string | null;
  readonly language: string | null;
  readonly words: readonly RecordedWords[];
}

/** Maximum time in seconds that words wait for other files of the user, which may belong to the same conversation. */
const longestWait = 60;

/** Takes transcribed recordings of one user that can be stored now. Empty when there are none. */
export const takeTranscribed = async (sql: Sql, place: string): Promise<TranscribedRecording[]> => {
  const rows = await sql<TranscribedRecording[]>`
    with turn as (
      select t.uid from recordings t
      where t.place = ${place} and t.state = 'transcribed' and t.due_at <= now()
        and (t.claimed_at < now() - make_interval(secs => ${longestWait}) or not exists (
          select 1 from recordings w where w.uid = t.uid and w.place = ${place} and w.state = 'waiting' and w.attempts < 2))
      order by t.due_at limit 1)
    update recordings set due_at = now() + interval '30 seconds'
    where uid = (select uid from turn) and place = ${place} and state = 'transcribed' and due_at <= now()
    returning id, uid, source, clock, conversation_id, words, (select language from users where users.uid = recordings.uid) as language`;
  return [...rows];
};

/**
 * Ends recordings in the transaction that stores their words.
 * @returns false when a recording was ended before or was removed. The caller must then store nothing.
 */
export const endRecordings = async (
  sql: TransactionSql,
  ids: readonly string[],
  made: readonly string[],
  updated: readonly string[],
): Promise<boolean> => {
  const rows = await sql`
    update recordings set state = 'done', words = null, ended_at = now(), new_conversations = ${made as string[]},
      updated_conversations = ${updated as string[]}
    where id = any(${ids as string[]}) and state = 'transcribed' returning 1`;
  return rows.length === ids.length;
};

/** Postpones words that cannot be stored yet. */
export const postponeTranscribed = async (
  sql: Sql,
  ids: readonly string[],
  seconds: number,
): Promise<void> => {
  await sql`
    update recordings set due_at = now() + make_interval(secs => ${seconds})
    where id = any(${ids as string[]}) and state = 'transcribed'`;
};

/** Returns the files among `files` that are still needed. */
export const neededFiles = async (sql: Sql, files: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await sql<{ file: string }[]>`
    select file from recordings where file = any(${files as string[]}::uuid[]) and state in ('waiting', 'dead')`;
  return new Set(rows.map(({ file }) => file));
};

/** Changes the storage location of these files to `place`, because the files were found there. */
export const adoptRecordings = async (sql: Sql, place: string, files: readonly string[]): Promise<void> => {
  if (files.length === 0) return;
  await sql`
    update recordings set place = ${place}
    where file = any(${files as string[]}::uuid[]) and place <> ${place} and state in ('waiting', 'dead')`;
};

/** Number of days for which rows stay stored: recordings that are done, recordings given up, and uploads. */
const keptDays = { done: 180, dead: 30, uploads: 30 } as const;

/**
 * Removes expired rows of recordings and uploads: in one call at most 1000 recordings that are done, 1000 recordings
 * given up and 1000 uploads. The files of these recordings are no longer needed.
 */
export const sweepRecordings = async (sql: Sql): Promise<void> => {
  for (const state of ['done', 'dead'] as const) {
    await sql`
      delete from recordings where id in (
        select id from recordings where state = ${state} and ended_at < now() - make_interval(days => ${keptDays[state]})
        order by ended_at limit 1000)`;
  }
  await sql`
    delete from recording_uploads where id in (
      select id from recording_uploads where created_at < now() - make_interval(days => ${keptDays.uploads})
      order by created_at limit 1000)`;
};

import type { CochleaError } from '../../errors/index.js';
import type { StreamFormat } from '../../wire/index.js';
import type { RecordingClock } from '../../wire/records/index.js';
import { firstRow, hasRows, type Sql, type TransactionSql } from '../client/index.js';
import type { IncompleteFile, RefusedFile } from '../uploads/index.js';

/** Bytes that a file is counted as at least, so that many small ones take space, too. */
export const countedBytes = 65_536;

/** Bytes of the files that are kept in a place: of all users, and of one. */
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

/** How far a recording of an upload is. */
export interface RecordingProgress {
  readonly name: string;
  readonly state: 'waiting' | 'transcribed' | 'done' | 'dead';
  readonly attempts: number;
  readonly error: string | null;
  /** Of the error. */
  readonly error_details: Readonly<Record<string, string | number | boolean>>;
  readonly segments: number;
  readonly failed_segments: number;
  readonly new_conversations: readonly string[];
  readonly updated_conversations: readonly string[];
}

/** What is known of an upload. */
export interface StoredUpload {
  /** In the order of its files. */
  readonly recordings: readonly RecordingProgress[];
  readonly refused: readonly RefusedFile[];
  readonly incomplete: readonly IncompleteFile[];
}

/** null when the user has no such upload. */
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

/** Whether the user has a conversation, which was not deleted. */
export const hasConversation = async (sql: Sql, uid: string, id: string): Promise<boolean> => {
  const rows =
    await sql`select 1 from conversations where id = ${id} and uid = ${uid} and deleted_at is null`;
  return rows.length > 0;
};

/** A recording that a worker has. */
export interface ClaimedRecording {
  readonly id: string;
  readonly uid: string;
  readonly file: string;
  readonly codec: StreamFormat['codec'];
  readonly sample_rate: number;
  readonly channels: 1 | 2;
  readonly started_at: Date;
  /** This one included. */
  readonly attempts: number;
  /** What its user has set. */
  readonly language: string | null;
}

/**
 * Takes a recording that is due, of the user who has the fewest under way, and was served the longest ago.
 * @param lease seconds after which it is due again unless `extendClaim` is called.
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

/** Keeps a recording for its worker. @returns false when it is gone, with its account, or another attempt has it. */
export const extendClaim = (sql: Sql, id: string, attempts: number, lease: number): Promise<boolean> =>
  hasRows(sql`
    update recordings set due_at = now() + make_interval(secs => ${lease})
    where id = ${id} and state = 'waiting' and attempts = ${attempts} returning 1`);

/** Puts a recording back. @param counts whether the attempt counts: it does when the recording may be at fault. */
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

/** Words with the wall clock (ms) at which they were said. */
export interface RecordedWords {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly provider: string;
}

/**
 * Stores what was said in a recording, of which nothing more is needed then. What nothing was said in is done.
 * @param error why segments failed, where some did.
 * @returns false when another attempt has the recording, or it is gone.
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

/** Gives a recording up. Its file stays for an operator, or until it is uploaded again. */
export const giveUpRecording = async (
  sql: Sql,
  id: string,
  { code, details }: ReturnType<CochleaError['toJSON']>,
): Promise<void> => {
  await sql`
    update recordings set state = 'dead', error = ${code}, error_details = ${sql.json(details)}, ended_at = now() where id = ${id} and state = 'waiting'`;
};

/** A recording whose words wait to be put into their conversations. */
export interface TranscribedRecording {
  readonly id: string;
  readonly uid: string;
  readonly source: string;
  readonly clock: RecordingClock;
  readonly conversation_id: string | null;
  readonly language: string | null;
  readonly words: readonly RecordedWords[];
}

/** Seconds that words wait at most for those of other files of the same user, which may belong to the same conversation. */
const longestWait = 60;

/** Transcribed recordings of a user whose words can be stored now, by time; empty when there are none. */
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
 * @returns false when one was ended before, or is gone: nothing may be stored then.
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

/** Puts words off that cannot be stored yet. */
export const postponeTranscribed = async (
  sql: Sql,
  ids: readonly string[],
  seconds: number,
): Promise<void> => {
  await sql`
    update recordings set due_at = now() + make_interval(secs => ${seconds})
    where id = any(${ids as string[]}) and state = 'transcribed'`;
};

/** Which of these files are needed. */
export const neededFiles = async (sql: Sql, files: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await sql<{ file: string }[]>`
    select file from recordings where file = any(${files as string[]}::uuid[]) and state in ('waiting', 'dead')`;
  return new Set(rows.map(({ file }) => file));
};

/** Days for which a recording is known that is done, for which one that was given up is kept, and for which uploads can be asked for. */
const keptDays = { done: 180, dead: 30, uploads: 30 } as const;

/** Forgets what is old; at most 1000 rows of each kind at once. Files of what is forgotten are not needed any more. */
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

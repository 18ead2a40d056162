import type { StreamFormat } from '../../wire/index.js';
import type { RecordingClock } from '../../wire/records/index.js';
import { firstRow, type Sql, type TransactionSql } from '../client/index.js';
import { timestamp } from '../live/index.js';

/** An uploaded audio file that becomes a new recording. */
export interface NewRecording {
  /** Id of a new recording, and the name of its file. */
  readonly id: string;
  readonly file: string;
  readonly digest: Uint8Array;
  readonly bytes: number;
  /** Wall clock of the first sample, ms. */
  readonly startedAt: number;
  readonly clock: RecordingClock;
  /** Length of the audio in ms. */
  readonly duration: number;
  readonly format: StreamFormat;
  readonly source: string;
  readonly conversation: string | null;
}

/** A file of an upload with the client's name for it. */
export type UploadedFile = NewRecording & {
  readonly name: string;
  /** Why audio of the file is missing; null when the file seems complete. */
  readonly incomplete: string | null;
};

/** A truncated or damaged file of an upload. */
export interface IncompleteFile {
  readonly name: string;
  readonly why: string;
}

/** Returns the truncated or damaged files, in order. */
export const incompleteFiles = (
  files: readonly Pick<UploadedFile, 'name' | 'incomplete'>[],
): IncompleteFile[] =>
  files.flatMap(({ name, incomplete }) => (incomplete === null ? [] : [{ name, why: incomplete }]));

/** A refused file of an upload. */
export interface RefusedFile {
  readonly name: string;
  /** Code and details of the error. */
  readonly code: string;
  readonly details: Readonly<Record<string, string | number | boolean>>;
}

/** A stored recording with the same audio as an uploaded file. */
export interface KnownRecording {
  readonly id: string;
  /**
   * Whether the stored recording is transcribed from the new file. This happens if the recording was given up, or if it
   * waits at a storage location without a running sidecar.
   */
  readonly again: boolean;
}

/** Notification channel for uploaded recordings. */
export const recordingChannel = 'recording_uploaded';

/**
 * Number of seconds that a due recording may stay unclaimed at another storage location. After that time a repeated
 * upload takes over the recording.
 */
const abandoned = 600;
/** Minimum tolerance, in ms, for the start times of a repeated file. */
const leastShift = 10_000;

/**
 * Finds the recording that a file repeats: the same bytes at overlapping times. A device does not record the same bytes
 * twice at overlapping times. A file with the same bytes at a different time is a new recording, unless one of the two
 * came from a device without a clock.
 */
export const findKnown = async (
  sql: TransactionSql,
  { uid, place }: { readonly uid: string; readonly place: string },
  { digest, startedAt, duration, clock }: UploadedFile,
): Promise<KnownRecording | null> => {
  const started = timestamp(sql, startedAt);
  const shift = Math.max(leastShift, duration);
  return firstRow(sql<KnownRecording[]>`
    select id, state = 'dead' or (state = 'waiting' and place <> ${place}
      and due_at < now() - make_interval(secs => ${abandoned})) as again
    from recordings
    where uid = ${uid} and digest = ${Buffer.from(digest)}
      and (clock = 'upload' or ${clock} = 'upload'
        or (started_at > ${started} - make_interval(secs => ${shift / 1000}::double precision)
          and started_at < ${started} + make_interval(secs => ${shift / 1000}::double precision)))
    order by abs(extract(epoch from started_at - ${started})), id limit 1`);
};

/**
 * Returns the end time (wall clock, ms) of the user's last recording from a device without a clock; null if there is
 * none.
 */
export const endOfUnclocked = async (sql: TransactionSql, uid: string): Promise<number | null> => {
  const [row] = await sql<{ ended: number | null }[]>`
    select extract(epoch from max(started_at + make_interval(secs => duration_ms / 1000.0)))::double precision * 1000 as ended
    from recordings where uid = ${uid} and clock = 'upload'`;
  return row?.ended ?? null;
};

/**
 * Stores an upload, in a transaction that has locked the user's uploads. A file that repeats a stored recording is
 * skipped, unless this recording is tried again.
 * @returns the files that are used. The caller can remove the other files.
 */
export const storeUpload = async (
  sql: TransactionSql,
  upload: { readonly id: string; readonly uid: string; readonly place: string },
  files: readonly UploadedFile[],
  refused: readonly RefusedFile[],
): Promise<ReadonlySet<string>> => {
  const { id, uid, place } = upload;
  const ids: string[] = [];
  const taken = new Set<string>();
  for (const recording of files) {
    const known = await findKnown(sql, upload, recording);
    ids.push(known?.id ?? recording.id);
    if (known !== null && !known.again) continue;
    taken.add(recording.file);
    if (known !== null) await tryAgain(sql, known.id, place, recording.file);
    else await insertRecording(sql, uid, place, recording);
  }
  await sql`
    insert into recording_uploads (id, uid, names, recordings, refused, incomplete)
    values (${id}, ${uid}, ${files.map(({ name }) => name)}, ${ids}, ${sql.json(refused as never)},
      ${sql.json(incompleteFiles(files) as never)})`;
  await sql`select pg_notify(${recordingChannel}, '')`;
  return taken;
};

const tryAgain = async (sql: TransactionSql, id: string, place: string, file: string): Promise<void> => {
  await sql`
    update recordings set file = ${file}, place = ${place}, attempts = 0, error = null, error_details = '{}', due_at = now(), ended_at = null,
      state = 'waiting'
    where id = ${id}`;
};

const insertRecording = async (
  sql: Sql | TransactionSql,
  uid: string,
  place: string,
  { format, ...recording }: UploadedFile,
): Promise<void> => {
  await sql`
    insert into recordings (id, file, uid, digest, started_at, clock, duration_ms, place, bytes, codec, sample_rate, channels,
      source, conversation_id)
    values (${recording.id}, ${recording.file}, ${uid}, ${Buffer.from(recording.digest)},
      ${timestamp(sql, recording.startedAt)}, ${recording.clock}, ${Math.round(recording.duration)}, ${place},
      ${recording.bytes}, ${format.codec}, ${format.sampleRate}, ${format.channels}, ${recording.source},
      ${recording.conversation})`;
};

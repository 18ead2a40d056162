import type { StreamFormat } from '../../wire/index.js';
import type { RecordingClock } from '../../wire/records/index.js';
import { firstRow, type Sql, type TransactionSql } from '../client/index.js';
import { timestamp } from '../live/index.js';

/** A file that was uploaded, in a place that this process can read. */
export interface NewRecording {
  /** Id for a recording that is not known yet, and the name of the file. */
  readonly id: string;
  readonly file: string;
  readonly digest: Uint8Array;
  readonly bytes: number;
  /** Wall clock of its first sample, ms. */
  readonly startedAt: number;
  readonly clock: RecordingClock;
  /** Ms of audio. */
  readonly duration: number;
  readonly format: StreamFormat;
  readonly source: string;
  readonly conversation: string | null;
}

/** A file of an upload, as the client called it. */
export type UploadedFile = NewRecording & {
  readonly name: string;
  /** Why audio of it is missing; null where nothing shows that any is. */
  readonly incomplete: string | null;
};

/** A file of an upload that is cut off or damaged. */
export interface IncompleteFile {
  readonly name: string;
  readonly why: string;
}

/** Those of some files that are cut off or damaged, in their order. */
export const incompleteFiles = (
  files: readonly Pick<UploadedFile, 'name' | 'incomplete'>[],
): IncompleteFile[] =>
  files.flatMap(({ name, incomplete }) => (incomplete === null ? [] : [{ name, why: incomplete }]));

/** A file of an upload that is not taken. */
export interface RefusedFile {
  readonly name: string;
  /** Code and details of the error. */
  readonly code: string;
  readonly details: Readonly<Record<string, string | number | boolean>>;
}

/** A recording that holds the same audio as a file. */
export interface KnownRecording {
  readonly id: string;
  /** It is tried once more with the new file: it was given up, or waits where nothing takes it. */
  readonly again: boolean;
}

/** Notified when recordings were uploaded. */
export const recordingChannel = 'recording_uploaded';

/** Seconds after which a recording that is due, and not begun, may be taken from another place. */
const abandoned = 600;
/** Ms by which the starts of a short recording may differ. */
const leastShift = 10_000;

/**
 * Finds the recording that a file repeats: the same bytes, in overlapping time. One device does not record the same bytes at two times that
 * overlap. The same bytes at another time are another recording, except where one of the two has no clock.
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

/** Wall clock (ms) of the end of the last recording of a user that has no clock; null when there is none. */
export const endOfUnclocked = async (sql: TransactionSql, uid: string): Promise<number | null> => {
  const [row] = await sql<{ ended: number | null }[]>`
    select extract(epoch from max(started_at + make_interval(secs => duration_ms / 1000.0)))::double precision * 1000 as ended
    from recordings where uid = ${uid} and clock = 'upload'`;
  return row?.ended ?? null;
};

/**
 * Stores an upload, in a transaction that has locked the uploads of the user. A file that repeats a recording is not taken, unless that one is
 * tried once more.
 * @returns the files that are taken; the others can be removed.
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

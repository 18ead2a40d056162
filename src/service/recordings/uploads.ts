import { randomUUID } from 'node:crypto';
import { UserSums } from '../../common/index.js';
import type { Settings } from '../../config/index.js';
import { CochleaError } from '../../errors/index.js';
import { isDeletedAccount } from '../../store/accounts/index.js';
import { lockForUser, type Sql, type TransactionSql } from '../../store/client/index.js';
import {
  hasConversation,
  type RecordingProgress,
  readUpload,
  recordingSpace,
} from '../../store/conversations/index.js';
import {
  endOfUnclocked,
  findKnown,
  type IncompleteFile,
  type RefusedFile,
  storeUpload,
  type UploadedFile,
} from '../../store/uploads/index.js';
import { placeUnclocked } from './place-unclocked.js';
import type { ReceivedUpload } from './receive-upload.js';
import type { RecordingFiles } from './recording-files.js';

/** The storage of uploaded recordings that wait for transcription. */
export interface RecordingStore {
  readonly files: RecordingFiles;
}

/** The database that counts uploads, and the storage of their files. */
interface UploadStorage {
  readonly sql: Sql;
  readonly settings: Settings;
  /** Name of the storage in the database. */
  readonly place: string;
}

/** Maximum number of concurrent uploads of one user. */
const uploadsOfUser = 2;

/**
 * Counts the uploads that this process is receiving. For each upload it reserves the maximum size of its body in bytes, so that all uploads
 * together stay within the limits.
 */
export class UploadsUnderWay {
  readonly #uploads = new UserSums();
  readonly #bytes = new UserSums();

  /**
   * Admits an upload before its body is read.
   * @param bytes maximum size of the upload.
   * @returns a function to call when the upload has ended.
   * @throws CochleaError uploads_full, recordings_full
   */
  async admit(storage: UploadStorage, uid: string, bytes: number): Promise<() => void> {
    if (this.#uploads.of(uid) >= uploadsOfUser || this.#uploads.all >= storage.settings.maxUploads)
      throw new CochleaError('uploads_full');
    this.#uploads.add(uid, 1);
    try {
      const free = await this.reserve(storage, uid, bytes);
      return () => {
        free();
        this.#uploads.add(uid, -1);
      };
    } catch (error) {
      this.#uploads.add(uid, -1);
      throw error;
    }
  }

  /**
   * Reserves more bytes for an admitted upload whose stored form is larger than its body.
   * @returns a function to call when the upload has ended.
   * @throws CochleaError recordings_full
   */
  async reserve({ sql, settings, place }: UploadStorage, uid: string, bytes: number): Promise<() => void> {
    this.#bytes.add(uid, bytes);
    const free = (): void => this.#bytes.add(uid, -bytes);
    // The sums are read before the query, so that uploads that begin during the query do not count against this upload.
    const [all, own] = [this.#bytes.all, this.#bytes.of(uid)];
    try {
      const kept = await recordingSpace(sql, place, uid);
      const { recordingsSize, recordingsUserSize } = settings;
      if (kept.all + all > recordingsSize || kept.own + own > recordingsUserSize)
        throw new CochleaError('recordings_full', { seconds: 60 });
    } catch (error) {
      free();
      throw error;
    }
    return free;
  }
}

/** Checks the conversation that an upload names. @throws CochleaError conversation_not_found if the user has no such conversation. */
export const checkUploadTarget = async (
  sql: Sql,
  uid: string,
  conversation: string | null,
): Promise<void> => {
  if (conversation !== null && !(await hasConversation(sql, uid, conversation)))
    throw new CochleaError('conversation_not_found');
};

/**
 * Queues received recordings for transcription. Recordings that are already known are not transcribed again.
 * @param now wall clock (ms) of the upload. A recording without a clock is assumed to end at this time.
 * @returns the upload's id.
 * @throws CochleaError account_deletion_in_progress if the account was deleted meanwhile. The files are then removed.
 */
export const queueUpload = async (
  sql: Sql,
  { files }: RecordingStore,
  uid: string,
  conversation: string | null,
  { received, refused }: ReceivedUpload,
  now: number,
): Promise<string> => {
  const upload = { id: randomUUID(), uid, place: files.place };
  const recordings = received.map((recording) => ({ ...recording, conversation }));
  const taken = (await sql.begin(async (transaction) => {
    // Storage may be slow, so the account may have been deleted since the upload began.
    if (await isDeletedAccount(transaction, uid)) return null;
    // Locks the user, because concurrent uploads may contain the same recordings, or recordings without a clock.
    await lockForUser(transaction, 'upload', uid);
    const placed = await placeAll(transaction, upload, recordings, now);
    return storeUpload(transaction, upload, placed, refused);
  })) as ReadonlySet<string> | null;
  // A later sweep removes files that cannot be removed now.
  await Promise.all(
    received
      .filter(({ file }) => !taken?.has(file))
      .map(({ file }) => files.remove(file).catch(() => undefined)),
  );
  if (taken === null) throw new CochleaError('account_deletion_in_progress');
  return upload.id;
};

/** Assigns times to new recordings without a clock. */
const placeAll = async (
  sql: TransactionSql,
  upload: { readonly uid: string; readonly place: string },
  files: readonly UploadedFile[],
  now: number,
): Promise<UploadedFile[]> => {
  const unclocked: UploadedFile[] = [];
  for (const file of files) {
    const isNew = file.clock === 'upload' && (await findKnown(sql, upload, file)) === null;
    if (isNew) unclocked.push(file);
  }
  if (unclocked.length === 0) return [...files];
  const starts = placeUnclocked(unclocked, now, await endOfUnclocked(sql, upload.uid));
  return files.map((file) => ({ ...file, startedAt: starts.get(file.file) ?? file.startedAt }));
};

/** Progress of an upload. */
export interface UploadProgress {
  readonly status: 'queued' | 'processing' | 'completed' | 'partial_failure' | 'failed';
  readonly recordings: readonly RecordingProgress[];
  readonly refused: readonly RefusedFile[];
  readonly incomplete: readonly IncompleteFile[];
}

/** Returns the progress of an upload. @throws CochleaError record_not_found if the user has no such upload, or if it is too old. */
export const uploadProgress = async (sql: Sql, uid: string, id: string): Promise<UploadProgress> => {
  const stored = await readUpload(sql, uid, id);
  if (stored === null) throw new CochleaError('record_not_found', { kind: 'Upload' });
  return { status: statusOf(stored.recordings, stored.refused.length), ...stored };
};

const statusOf = (recordings: readonly RecordingProgress[], refused: number): UploadProgress['status'] => {
  const isOpen = ({ state }: RecordingProgress): boolean => state === 'waiting' || state === 'transcribed';
  if (recordings.some(isOpen)) {
    const begun = recordings.some(({ state, attempts }) => state !== 'waiting' || attempts > 0);
    return begun ? 'processing' : 'queued';
  }
  if (recordings.every(({ state }) => state === 'dead')) return 'failed';
  return refused > 0 || recordings.some(({ error }) => error !== null) ? 'partial_failure' : 'completed';
};

import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { placeOfFolder, type RetainedCipher } from '../../stt/storage/index.js';
import {
  openPieces,
  pieceWriter,
  type RecordingTarget,
  type RecordingWriter,
  unreadableRecording,
  writtenPiece,
} from './recording-pieces.js';

/**
 * The uploaded recordings that wait for transcription, in a folder or a bucket. File names are ids that the service
 * makes, never client data. Methods throw the errors of the storage.
 */
export interface RecordingFiles {
  /** Name of the storage in the database. Only a process with the same storage can transcribe the recordings in it. */
  readonly place: string;
  create(): Promise<RecordingWriter>;
  /**
   * Reads a recording in pieces.
   * @throws CochleaError recording_unreadable if the recording is missing, damaged, or encrypted with another key.
   */
  read(id: string): AsyncGenerator<Uint8Array, void, undefined>;
  remove(id: string): Promise<void>;
  /** Returns the ids of complete recordings that were written before a time (ms). */
  olderThan(time: number): Promise<string[]>;
  /**
   * Removes recordings that were begun before a time (ms) and never finished, because their process was killed.
   * @returns the number of removed recordings.
   */
  removeUnfinished(time: number): Promise<number>;
}

/** Ending of the file names of recordings without encryption. */
export const plainEnding = '.bin';
/** Ending of the file names of encrypted recordings. */
export const sealedEnding = '.aes';
/** Ending of the file names of recordings that are being written to a folder. */
const unfinished = '.part';

const fileForm = /^([\da-f-]{36})\.(bin|aes|part)$/;

/** Parses the name of a recording's file. @returns undefined for other files. */
export const parseRecordingFile = (
  name: string,
): { readonly id: string; readonly isComplete: boolean } | undefined => {
  const [, id, form] = fileForm.exec(name) ?? [];
  return id === undefined ? undefined : { id, isComplete: form !== 'part' };
};

/** Writes a file under a temporary name until it is complete. */
const fileTarget = async (path: string, ending: string): Promise<RecordingTarget> => {
  const part = `${path}${unfinished}`;
  const file = await open(part, 'wx', 0o600);
  return {
    write: (piece) => file.writeFile(piece),
    async finish() {
      await file.sync();
      await file.close();
      await rename(part, `${path}${ending}`);
    },
    async discard() {
      await file.close().catch(() => undefined);
      await rm(part, { force: true });
    },
  };
};

/** Yields the bytes of a file in the folder, without decrypting them. */
async function* bytesOf(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield* createReadStream(path, { highWaterMark: writtenPiece }) as AsyncIterable<Buffer>;
}

/** Returns the names of files that were last written before a time (ms). */
const filesBefore = async (directory: string, time: number, isComplete: boolean): Promise<string[]> => {
  const names: string[] = [];
  for (const name of await readdir(directory)) {
    if (parseRecordingFile(name)?.isComplete !== isComplete) continue;
    const written = await stat(join(directory, name)).catch(() => undefined);
    if (written !== undefined && written.mtimeMs < time) names.push(name);
  }
  return names;
};

/**
 * Opens a folder of recordings. Creates it if it is missing. Only the system user of this process can access it.
 * @param cipher encrypts written recordings in the same way as retained audio. Absent: no encryption.
 */
export const openRecordingFiles = async (
  directory: string,
  cipher: RetainedCipher | undefined,
): Promise<RecordingFiles> => ({
  place: await placeOfFolder(directory),
  async create() {
    const id = randomUUID();
    const ending = cipher === undefined ? plainEnding : sealedEnding;
    return pieceWriter(id, await fileTarget(join(directory, id), ending), cipher);
  },
  async *read(id) {
    const names = await readdir(directory);
    const path = join(directory, id);
    if (names.includes(`${id}${plainEnding}`)) yield* bytesOf(`${path}${plainEnding}`);
    else if (names.includes(`${id}${sealedEnding}`))
      yield* openPieces(bytesOf(`${path}${sealedEnding}`), id, cipher);
    else throw unreadableRecording('it is missing');
  },
  async remove(id) {
    for (const ending of [plainEnding, sealedEnding])
      await rm(join(directory, `${id}${ending}`), { force: true });
  },
  async olderThan(time) {
    return (await filesBefore(directory, time, true)).map((name) => parseRecordingFile(name)!.id);
  },
  async removeUnfinished(time) {
    const names = await filesBefore(directory, time, false);
    for (const name of names) await rm(join(directory, name), { force: true });
    return names.length;
  },
});

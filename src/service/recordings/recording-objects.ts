import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../log/index.js';
import {
  type BucketObjects,
  clientErrorOf,
  isStorageAway,
  type ObjectWriter,
  type RetainedCipher,
} from '../../stt/storage/index.js';
import { parseRecordingFile, plainEnding, type RecordingFiles, sealedEnding } from './recording-files.js';
import { openPieces, pieceWriter, type RecordingTarget, unreadableRecording } from './recording-pieces.js';

/**
 * Waits for a bucket request of a client's upload. Logs the reason if the request fails.
 * @throws CochleaError storage_unavailable if the bucket is unavailable.
 */
const forClient = async (request: Promise<void>, log: Logger): Promise<void> => {
  try {
    await request;
  } catch (error) {
    if (isStorageAway(error))
      log.warn({ err: error }, 'an upload is refused, because the bucket is unavailable');
    throw clientErrorOf(error);
  }
};

/**
 * Creates a target that writes to the bucket. If the bucket is unavailable, nothing is written to a disk. The upload is
 * then refused, and the client keeps the file.
 */
const objectTarget = (object: ObjectWriter, log: Logger): RecordingTarget => ({
  write: (piece) => forClient(object.write(piece), log),
  finish: () => forClient(object.finish(), log),
  discard: () => object.discard(),
});

/**
 * Maximum ms between this machine's clock and the clock of the bucket's server. The server refuses requests with a
 * larger difference. A file counts as old only if it is also older by this difference, so that no running upload counts
 * as old.
 */
const mostSkew = 900_000;

/**
 * Opens the recordings of a bucket.
 * @param cipher encrypts written recordings in the same way as retained audio. Absent: no encryption.
 */
export const openRecordingObjects = (
  objects: BucketObjects,
  cipher: RetainedCipher | undefined,
  log: Logger,
): RecordingFiles => ({
  place: objects.place,
  async create() {
    const id = randomUUID();
    const ending = cipher === undefined ? plainEnding : sealedEnding;
    return pieceWriter(id, objectTarget(objects.create(`${id}${ending}`), log), cipher);
  },
  async *read(id) {
    const plain = await objects.read(`${id}${plainEnding}`);
    if (plain !== null) return yield* plain;
    const sealed = await objects.read(`${id}${sealedEnding}`);
    if (sealed === null) throw unreadableRecording('it is missing');
    yield* openPieces(sealed, id, cipher);
  },
  async remove(id) {
    for (const ending of [plainEnding, sealedEnding]) await objects.remove(`${id}${ending}`);
  },
  async olderThan(time) {
    const ids: string[] = [];
    for (const { name, writtenAt } of await objects.list()) {
      const file = parseRecordingFile(name);
      if (file !== undefined && writtenAt !== undefined && writtenAt < time - mostSkew) ids.push(file.id);
    }
    return ids;
  },
  removeUnfinished: (time) => objects.removeUnfinished(time - mostSkew),
});

/** Removes a file that was last written before a time (ms). Does nothing if another process has removed the file. */
const removeOlder = async (path: string, before: number): Promise<void> => {
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined && found.mtimeMs < before) await rm(path, { force: true });
};

/**
 * Moves recordings from a folder to the bucket. The recordings were written to the folder before a bucket was set.
 * @param needed returns those of the given ids whose recordings still wait for transcription.
 * @param moved called when a recording is in the bucket, and before its file is removed.
 * @param before time (ms). A recording that is not needed is removed from the folder if it was last written earlier.
 * @returns the number of moved recordings.
 */
export const moveRecordings = async (
  directory: string,
  objects: BucketObjects,
  needed: (ids: readonly string[]) => Promise<ReadonlySet<string>>,
  moved: (id: string) => Promise<void>,
  before: number,
): Promise<number> => {
  const found = (await readdir(directory).catch(() => [])).flatMap((name) => {
    const file = parseRecordingFile(name);
    return file === undefined ? [] : [{ name, ...file }];
  });
  if (found.length === 0) return 0;
  const waiting = await needed(found.map(({ id }) => id));
  const isWanted = ({ id, isComplete }: (typeof found)[number]): boolean => isComplete && waiting.has(id);
  for (const file of found) if (!isWanted(file)) await removeOlder(join(directory, file.name), before);
  let count = 0;
  for (const { name, id } of found.filter(isWanted)) {
    const object = objects.create(name);
    try {
      for await (const piece of createReadStream(join(directory, name))) await object.write(piece);
      await object.finish();
    } catch (error) {
      await object.discard();
      throw error;
    }
    await moved(id);
    await rm(join(directory, name), { force: true });
    count++;
  }
  return count;
};

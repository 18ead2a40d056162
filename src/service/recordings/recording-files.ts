import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CochleaError, reasonOf } from '../../errors/index.js';
import type { RetainedCipher } from '../../stt/storage/index.js';

/** A recording that is being written. */
export interface RecordingWriter {
  readonly id: string;
  write(piece: Uint8Array): Promise<void>;
  /** Completes the file. It is on disk when this resolves. */
  finish(): Promise<void>;
  /** Deletes the bytes that were written. Does nothing after `finish`. */
  discard(): Promise<void>;
}

/**
 * The folder of uploaded recordings that wait for transcription. File names are ids that the service makes, never client data. Methods
 * throw the errors of the file system.
 */
export interface RecordingFiles {
  /** Identifies the folder independently of its mount point. Only a process with the same folder can transcribe its recordings. */
  readonly place: string;
  create(): Promise<RecordingWriter>;
  /**
   * Reads a recording in pieces.
   * @throws CochleaError recording_unreadable if it is missing, damaged, or encrypted with another key.
   */
  read(id: string): AsyncGenerator<Uint8Array, void, undefined>;
  remove(id: string): Promise<void>;
  /** Returns the ids of recordings that were written before a time (ms). Includes incomplete recordings. */
  olderThan(time: number): Promise<string[]>;
}

/** Maximum bytes of one written piece. In an encrypted file, the length of each piece precedes the piece. */
const writtenPiece = 65_536;
const lengthBytes = 4;
const unfinished = '.part';

/**
 * Returns the name that the cipher authenticates together with an encrypted piece. The name has the piece's
 * index, and whether it is the last. So missing pieces are detected.
 */
const pieceName = (id: string, index: number, last: boolean): string =>
  `${id}:${index}:${last ? 'last' : ''}`;

const withLength = (sealed: Buffer): Buffer => {
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(sealed.length);
  return Buffer.concat([length, sealed]);
};

const unreadable = (why: string, cause?: unknown): CochleaError =>
  new CochleaError('recording_unreadable', { why }, { cause });

/** Returns the name of the folder, which one of its files stores. The name of a host or container could change at its next start. */
const placeIn = async (directory: string): Promise<string> => {
  const path = join(directory, 'place');
  const known = await readFile(path, 'utf8').catch(() => '');
  if (known !== '') return known;
  const made = `${path}-${randomUUID()}`;
  await writeFile(made, randomUUID(), { mode: 0o600, flush: true });
  // `link` makes the complete file appear at once. If another process was faster, its file stays.
  await link(made, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(made);
  return readFile(path, 'utf8');
};

/** Begins a recording under a temporary name. */
const create = async (directory: string, cipher: RetainedCipher | undefined): Promise<RecordingWriter> => {
  const id = randomUUID();
  const path = join(directory, id);
  const ending = cipher === undefined ? '.bin' : '.aes';
  const part = `${path}${unfinished}`;
  const file = await open(part, 'wx', 0o600);
  /** Bytes that are not written yet. They are collected, because clients may send one byte at a time. */
  let waiting: Uint8Array[] = [];
  let held = 0;
  let pieces = 0;
  const writeOut = async (last: boolean): Promise<void> => {
    const bytes = Buffer.concat(waiting);
    waiting = [];
    held = 0;
    for (let at = 0; at < bytes.length || (last && at === 0); at += writtenPiece) {
      const piece = bytes.subarray(at, at + writtenPiece);
      const isLast = last && at + writtenPiece >= bytes.length;
      const sealed = cipher && withLength(cipher.seal(piece, pieceName(id, pieces++, isLast)));
      await file.writeFile(sealed ?? piece);
    }
  };
  return {
    id,
    async write(piece) {
      waiting.push(piece);
      held += piece.length;
      if (held >= writtenPiece) await writeOut(false);
    },
    async finish() {
      await writeOut(true);
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

/** Reads an unencrypted file. */
async function* plain(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield* createReadStream(path, { highWaterMark: writtenPiece }) as AsyncIterable<Buffer>;
}

/** Decrypts the pieces of an encrypted file. */
async function* sealed(
  directory: string,
  id: string,
  cipher: RetainedCipher | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (cipher === undefined) throw unreadable('it is encrypted, and no key is set');
  let rest: Buffer = Buffer.alloc(0);
  let pieces = 0;
  /**
   * The last piece that was read, still encrypted. It is decrypted when the next piece begins or the file
   * ends, because its name says whether it is the last.
   */
  let waiting: Buffer | undefined;
  const openPiece = (last: boolean): Buffer => {
    try {
      return cipher.open(waiting!, pieceName(id, pieces++, last));
    } catch (error) {
      throw unreadable(reasonOf(error), error);
    }
  };
  for await (const read of plain(join(directory, `${id}.aes`))) {
    rest = Buffer.concat([rest, read]);
    while (rest.length >= lengthBytes) {
      const end = lengthBytes + rest.readUInt32LE();
      if (rest.length < end) break;
      if (waiting !== undefined) yield openPiece(false);
      waiting = rest.subarray(lengthBytes, end);
      rest = rest.subarray(end);
    }
  }
  if (waiting === undefined || rest.length > 0) throw unreadable('it is damaged');
  yield openPiece(true);
}

/**
 * Opens the folder. Creates it if it is missing. Only the user of this process can then access it.
 * @param cipher encrypts written recordings in the same way as retained audio. Absent: no encryption.
 */
export const openRecordingFiles = async (
  directory: string,
  cipher: RetainedCipher | undefined,
): Promise<RecordingFiles> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const place = await placeIn(directory);
  return {
    place,
    create: () => create(directory, cipher),
    async *read(id) {
      const names = await readdir(directory);
      if (names.includes(`${id}.bin`)) yield* plain(join(directory, `${id}.bin`));
      else if (names.includes(`${id}.aes`)) yield* sealed(directory, id, cipher);
      else throw unreadable('it is missing');
    },
    async remove(id) {
      for (const form of ['.bin', '.aes', unfinished])
        await rm(join(directory, `${id}${form}`), { force: true });
    },
    async olderThan(time) {
      const ids: string[] = [];
      for (const name of await readdir(directory)) {
        const [, id] = /^([\da-f-]{36})\.(?:bin|aes|part)$/.exec(name) ?? [];
        const written =
          id === undefined ? undefined : await stat(join(directory, name)).catch(() => undefined);
        if (written !== undefined && written.mtimeMs < time) ids.push(id!);
      }
      return ids;
    },
  };
};

import { CochleaError, reasonOf } from '../../errors/index.js';
import type { RetainedCipher } from '../../stt/storage/index.js';

/** A recording that is being written. */
export interface RecordingWriter {
  readonly id: string;
  write(piece: Uint8Array): Promise<void>;
  /** Completes the file. When the promise resolves, the file is stored durably. */
  finish(): Promise<void>;
  /** Deletes the bytes that were written. Does nothing after `finish`. */
  discard(): Promise<void>;
}

/** The place to which the bytes of one recording are written, such as a file or an object of a bucket. */
export type RecordingTarget = Omit<RecordingWriter, 'id'>;

/** Maximum bytes of one written piece. In an encrypted file, the length of each piece precedes the piece. */
export const writtenPiece = 65_536;
const lengthBytes = 4;

/**
 * Returns the name that the cipher authenticates together with an encrypted piece. The name contains the piece's index,
 * and whether the piece is the last. So a missing piece is detected.
 */
const pieceName = (id: string, index: number, last: boolean): string =>
  `${id}:${index}:${last ? 'last' : ''}`;

const withLength = (sealed: Buffer): Buffer => {
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(sealed.length);
  return Buffer.concat([length, sealed]);
};

/** Returns the error of a recording that cannot be read. */
export const unreadableRecording = (why: string, cause?: unknown): CochleaError =>
  new CochleaError('recording_unreadable', { why }, { cause });

/** Returns a writer that collects small pieces, encrypts them if there is a cipher, and writes them to `target`. */
export const pieceWriter = (
  id: string,
  target: RecordingTarget,
  cipher: RetainedCipher | undefined,
): RecordingWriter => {
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
      await target.write(sealed ?? piece);
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
      await target.finish();
    },
    discard: () => target.discard(),
  };
};

/**
 * Decrypts the pieces of an encrypted recording.
 * @throws CochleaError recording_unreadable; errors of `bytes`.
 */
export async function* openPieces(
  bytes: AsyncIterable<Uint8Array>,
  id: string,
  cipher: RetainedCipher | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (cipher === undefined) throw unreadableRecording('it is encrypted, and no key is set');
  let rest: Buffer = Buffer.alloc(0);
  let pieces = 0;
  /**
   * The last piece that was read, still encrypted. It is decrypted when the next piece begins or the file ends,
   * because only then its name is known (`pieceName`).
   */
  let waiting: Buffer | undefined;
  const openPiece = (last: boolean): Buffer => {
    try {
      return cipher.open(waiting!, pieceName(id, pieces++, last));
    } catch (error) {
      throw unreadableRecording(reasonOf(error), error);
    }
  };
  for await (const read of bytes) {
    rest = Buffer.concat([rest, read]);
    while (rest.length >= lengthBytes) {
      const end = lengthBytes + rest.readUInt32LE();
      if (rest.length < end) break;
      if (waiting !== undefined) yield openPiece(false);
      waiting = rest.subarray(lengthBytes, end);
      rest = rest.subarray(end);
    }
  }
  if (waiting === undefined || rest.length > 0) throw unreadableRecording('it is damaged');
  yield openPiece(true);
}

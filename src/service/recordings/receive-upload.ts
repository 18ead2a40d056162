import { firstCharacters, storableText } from '../../common/index.js';
import { CochleaError, type ErrorCode } from '../../errors/index.js';
import { type IncompleteFile, incompleteFiles, type RefusedFile } from '../../store/uploads/index.js';
import { type ReceivedRecording, receiveRecording } from './receive-recording.js';
import type { RecordingFiles } from './recording-files.js';

/** What of an upload was taken, and what was not. */
export interface ReceivedUpload {
  readonly received: readonly ReceivedRecording[];
  readonly refused: readonly RefusedFile[];
  /** Those of `received` that are cut off or damaged. */
  readonly incomplete: readonly IncompleteFile[];
}

/** Errors that are about one file: the others of its upload are taken. */
const ofOneFile: ReadonlySet<ErrorCode> = new Set([
  'recording_name_invalid',
  'recording_invalid',
  'recording_too_long',
]);

/** Characters that are kept of the name of a refused file. */
const longestName = 200;

/** Receives the files of one upload, one after the other. A file that is refused does not keep the others from being taken. */
export class UploadReceiver {
  readonly #files: RecordingFiles;
  readonly #longest: number;
  readonly #received: ReceivedRecording[] = [];
  readonly #refused: RefusedFile[] = [];
  #first: CochleaError | undefined;

  /** @param longest ms of audio of one file. */
  constructor(files: RecordingFiles, longest: number) {
    this.#files = files;
    this.#longest = longest;
  }

  /**
   * Reads a file to its end.
   * @throws what `pieces` throws, and errors of the disk; then nothing of the upload may be taken.
   */
  async take(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    const source = pieces[Symbol.asyncIterator]();
    // A reader that stops early does not end the form.
    const open = { [Symbol.asyncIterator]: () => ({ next: () => source.next() }) };
    try {
      this.#received.push(await receiveRecording(this.#files, name, open, this.#longest));
    } catch (error) {
      if (!(error instanceof CochleaError) || !ofOneFile.has(error.code)) throw error;
      this.#first ??= error;
      const { code, details } = error;
      this.#refused.push({ name: storableText(firstCharacters(name, longestName)), code, details });
      // The next file comes behind this one.
      for await (const _ of open);
    }
  }

  /**
   * What was received, when the form has ended.
   * @throws the error of the first file where none was taken; multipart_invalid where there was none.
   */
  result(): ReceivedUpload {
    const received = this.#received;
    if (received.length > 0)
      return { received, refused: this.#refused, incomplete: incompleteFiles(received) };
    throw this.#first ?? new CochleaError('multipart_invalid', { why: 'it has no files' });
  }

  /** Removes the files of an upload that is not taken. */
  async discard(): Promise<void> {
    await Promise.all(this.#received.map(({ file }) => this.#files.remove(file)));
  }
}

import { firstCharacters, storableText } from '../../common/index.js';
import { CochleaError, type ErrorCode } from '../../errors/index.js';
import { type IncompleteFile, incompleteFiles, type RefusedFile } from '../../store/uploads/index.js';
import { type ReceivedRecording, receiveRecording } from './receive-recording.js';
import type { RecordingFiles } from './recording-files.js';

/** The accepted and refused files of an upload. */
export interface ReceivedUpload {
  readonly received: readonly ReceivedRecording[];
  readonly refused: readonly RefusedFile[];
  /** Files of `received` that are truncated or damaged. */
  readonly incomplete: readonly IncompleteFile[];
}

/** Errors that concern one file. Other files of the upload are still accepted. */
const ofOneFile: ReadonlySet<ErrorCode> = new Set([
  'recording_name_invalid',
  'recording_invalid',
  'recording_too_long',
  'rate_limited',
]);

/** Maximum characters of a refused file's name that are stored. */
const longestName = 200;

/** Bounds of the audio in an upload, in ms. */
export interface UploadAudio {
  /** Maximum in one file. */
  readonly ofFile: number;
  /** Maximum in all files together. The first file is accepted even if it has more. */
  readonly ofUpload: number;
  /** Error with the code `rate_limited` for a file beyond `ofUpload`. */
  readonly beyond: CochleaError;
}

/** Receives the files of one upload, one after the other. A refused file does not affect the others. */
export class UploadReceiver {
  readonly #received: ReceivedRecording[] = [];
  readonly #refused: RefusedFile[] = [];
  #first: CochleaError | undefined;
  #counted = 0;

  constructor(
    private readonly files: RecordingFiles,
    private readonly audio: UploadAudio,
  ) {}

  /**
   * Reads a file to its end.
   * @throws errors of `pieces` and of the storage. The whole upload must then be refused.
   */
  async take(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    const source = pieces[Symbol.asyncIterator]();
    // `receiveRecording` may stop before the end of the file. This iterator has no `return`, so that stopping does not
    // end the read of the form, which contains further files.
    const open = { [Symbol.asyncIterator]: () => ({ next: () => source.next() }) };
    try {
      await this.#accept(await receiveRecording(this.files, name, open, this.audio.ofFile));
    } catch (error) {
      if (!(error instanceof CochleaError) || !ofOneFile.has(error.code)) throw error;
      this.#first ??= error;
      const { code, details } = error;
      this.#refused.push({ name: storableText(firstCharacters(name, longestName)), code, details });
      // Reads this file to its end, because the next file follows it.
      for await (const _ of open);
    }
  }

  async #accept(recording: ReceivedRecording): Promise<void> {
    const { ofUpload, beyond } = this.audio;
    if (this.#received.length > 0 && this.#counted + recording.counted > ofUpload) {
      await this.files.remove(recording.file);
      throw beyond;
    }
    this.#counted += recording.counted;
    this.#received.push(recording);
  }

  /**
   * Returns the received files. Call it after the whole form has been read.
   * @throws the error of the first file if none was accepted; multipart_invalid if there was no file.
   */
  result(): ReceivedUpload {
    const received = this.#received;
    if (received.length > 0)
      return { received, refused: this.#refused, incomplete: incompleteFiles(received) };
    throw this.#first ?? new CochleaError('multipart_invalid', { why: 'it has no files' });
  }

  /** Removes the files of a refused upload. */
  async discard(): Promise<void> {
    await Promise.all(this.#received.map(({ file }) => this.files.remove(file)));
  }
}

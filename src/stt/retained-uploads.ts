import type { Logger } from '../log/index.js';
import { parseRetainedName } from './retained-file.js';
import type { RetainedFiles, StoredFile } from './retained-files.js';

export interface RetainedUploadsOptions {
  readonly folder: RetainedFiles;
  readonly bucket: RetainedFiles;
  readonly log: Logger;
}

/** Ms between two searches of the folder. */
const pause = 5000;

/**
 * Moves retained audio from the folder of an engine to the bucket. Audio is written to the folder first, so that a bucket that is
 * away costs no word; what an earlier run left there is moved, too. Owned by the main thread of the engine.
 */
export class RetainedUploads {
  readonly #options: RetainedUploadsOptions;
  readonly #timer: NodeJS.Timeout;
  #moving: Promise<void> | undefined;
  #again = false;
  #closing = false;

  constructor(options: RetainedUploadsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.move(), pause);
    this.#timer.unref();
  }

  /** Moves what is there now. Resolves when that is done, or cannot be done yet; never rejects. */
  move(): Promise<void> {
    this.#again = true;
    this.#moving ??= this.#run().finally(() => {
      this.#moving = undefined;
    });
    return this.#moving;
  }

  /** Resolves when nothing is being moved any more; what is left in the folder is moved by the next run. */
  async close(): Promise<void> {
    this.#closing = true;
    clearInterval(this.#timer);
    await this.#moving;
  }

  async #run(): Promise<void> {
    const { folder, log } = this.#options;
    while (this.#again && !this.#closing) {
      this.#again = false;
      try {
        const files = await folder.list();
        for (const file of files) {
          if (this.#closing) return;
          await this.#moveFile(file, files);
        }
      } catch (thrown) {
        log.warn({ err: thrown }, 'retained audio cannot be moved to the bucket yet');
        return;
      }
    }
  }

  async #moveFile({ name }: StoredFile, files: readonly StoredFile[]): Promise<void> {
    const parsed = parseRetainedName(name);
    // A description goes with its audio, which goes first.
    if (parsed === undefined || parsed.state === 'part' || parsed.form === 'json') return;
    const description = name.replace(/\.wav\b/, '.json');
    const isPair = parsed.form === 'wav';
    if (isPair && !files.some((file) => file.name === description)) return;
    for (const moved of isPair ? [name, description] : [name]) {
      const bytes = await this.#options.folder.read(moved);
      // Another engine of this machine has moved it.
      if (bytes === undefined) return;
      await this.#options.bucket.write(moved, bytes);
    }
    for (const moved of isPair ? [description, name] : [name]) await this.#options.folder.remove(moved);
  }
}

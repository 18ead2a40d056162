import type { Logger } from '../log/index.js';
import { within } from '../wire/within.js';
import { parseRetainedName } from './retained-file.js';
import type { RetainedFiles, StoredFile } from './retained-files.js';

export interface RetainedUploadsOptions {
  readonly folder: RetainedFiles;
  readonly bucket: RetainedFiles;
  readonly log: Logger;
}

/** Ms between two searches of the folder. */
const pause = 5000;
/** Ms for which a process that ends waits for the bucket to take the file that is being moved. */
const closingTimeout = 2000;

/** The files in the order of their names, from the one after `name` on; then the others. */
const startingAfter = (files: readonly StoredFile[], name: string): StoredFile[] => {
  const sorted = [...files].sort((one, other) => (one.name < other.name ? -1 : 1));
  const next = sorted.findIndex((file) => file.name > name);
  return next < 0 ? sorted : [...sorted.slice(next), ...sorted.slice(0, next)];
};

/**
 * Moves retained audio from the folder of an engine to the bucket. Audio is written to the folder first, so that a bucket that is
 * away costs no word; what an earlier run left there is moved, too. Owned by the main thread of the engine.
 */
export class RetainedUploads {
  readonly #options: RetainedUploadsOptions;
  readonly #timer: NodeJS.Timeout;
  #moving: Promise<void> | undefined;
  #again = false;
  /** The file that is being moved, or could not be moved: the next run begins after it, so that it holds up no others. */
  #refused = '';
  #closing = false;
  /** Before this time (ms) nothing is moved, because the bucket has just failed: each search reads the whole folder. */
  #notBefore = 0;

  constructor(options: RetainedUploadsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.move(), pause);
    this.#timer.unref();
  }

  /** Moves what is there now. Resolves when that is done, or cannot be done yet; never rejects. */
  move(): Promise<void> {
    this.#again = true;
    if (performance.now() < this.#notBefore) return Promise.resolve();
    this.#moving ??= this.#run().finally(() => {
      this.#moving = undefined;
    });
    return this.#moving;
  }

  /**
   * Resolves when nothing is being moved any more, or the bucket does not answer; what is left in the folder is moved by the next
   * process, also what was being moved, because it is removed from the folder last.
   */
  async close(): Promise<void> {
    this.#closing = true;
    clearInterval(this.#timer);
    if (this.#moving !== undefined) await within(this.#moving, closingTimeout, () => undefined);
  }

  async #run(): Promise<void> {
    const { folder, log } = this.#options;
    while (this.#again && !this.#closing) {
      this.#again = false;
      try {
        const files = await folder.list();
        for (const file of startingAfter(files, this.#refused)) {
          if (this.#closing) return;
          this.#refused = file.name;
          await this.#moveFile(file, files);
        }
        this.#refused = '';
      } catch (thrown) {
        log.warn({ err: thrown }, 'retained audio cannot be moved to the bucket yet');
        // A timer may be a moment early.
        this.#notBefore = performance.now() + pause * 0.9;
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

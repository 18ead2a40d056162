import { within } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import { parseRetainedName, type RetainedFiles, type StoredFile } from '../storage/index.js';

export interface RetainedUploadsOptions {
  readonly folder: RetainedFiles;
  readonly bucket: RetainedFiles;
  readonly log: Logger;
}

/** Ms between two scans of the folder. */
const pause = 5000;
/** Ms that a closing process waits for the bucket to store the current file. */
const closingTimeout = 2000;
/** Most remembered names of unreadable files. Further unreadable files are logged again with each scan. */
const mostUnreadable = 1000;

/** Files sorted by name, beginning after `name`; earlier names follow at the end. */
const startingAfter = (files: readonly StoredFile[], name: string): StoredFile[] => {
  const sorted = [...files].sort((one, other) => (one.name < other.name ? -1 : 1));
  const next = sorted.findIndex((file) => file.name > name);
  return next < 0 ? sorted : [...sorted.slice(next), ...sorted.slice(0, next)];
};

/**
 * Moves retained audio from an engine's folder to the bucket. Audio is written to the folder first, so an unreachable
 * bucket loses no words. Files of an earlier run are moved, too. Owned by the engine's main thread.
 */
export class RetainedUploads {
  readonly #timer: NodeJS.Timeout;
  #moving: Promise<void> | undefined;
  #again = false;
  /** The file being moved, or the file that failed. The next run begins after it, so that it does not block the others. */
  #refused = '';
  /** Unreadable files that were logged. They stay in the folder and are tried again. */
  readonly #unreadable = new Set<string>();
  #closing = false;
  /** No moves before this time (monotonic ms), because the bucket has just failed. Each scan reads the whole folder. */
  #notBefore = 0;

  constructor(private readonly options: RetainedUploadsOptions) {
    this.#timer = setInterval(() => void this.move(), pause);
    this.#timer.unref();
  }

  /** Moves the present files. Resolves when that is done or must wait; never rejects. */
  move(): Promise<void> {
    this.#again = true;
    if (performance.now() < this.#notBefore) return Promise.resolve();
    this.#moving ??= this.#run().finally(() => {
      this.#moving = undefined;
    });
    return this.#moving;
  }

  /**
   * Resolves when no file is being moved any more, or when the bucket does not answer. The next process moves the
   * remaining files. That includes an interrupted file, because it is removed from the folder last.
   */
  async close(): Promise<void> {
    this.#closing = true;
    clearInterval(this.#timer);
    if (this.#moving !== undefined) await within(this.#moving, closingTimeout, () => undefined);
  }

  async #run(): Promise<void> {
    const { folder, log } = this.options;
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
        // Tolerance for a timer that fires slightly early.
        this.#notBefore = performance.now() + pause * 0.9;
        return;
      }
    }
  }

  async #moveFile({ name }: StoredFile, files: readonly StoredFile[]): Promise<void> {
    const parsed = parseRetainedName(name);
    // A description is moved with its audio. The audio goes first.
    if (parsed === undefined || parsed.state === 'part' || parsed.form === 'json') return;
    const description = name.replace(/\.wav\b/, '.json');
    const isPair = parsed.form === 'wav';
    if (isPair && !files.some((file) => file.name === description)) return;
    const names = isPair ? [name, description] : [name];
    const contents: Buffer[] = [];
    for (const moved of names) {
      const bytes = await this.#read(moved);
      // Another engine of this machine has moved it, or it is unreadable.
      if (bytes === undefined) return;
      contents.push(bytes);
    }
    for (const [index, moved] of names.entries()) await this.options.bucket.write(moved, contents[index]!);
    for (const moved of names.reverse()) await this.options.folder.remove(moved);
  }

  /** Reads a file of the folder; undefined when it is gone or permanently unreadable. */
  async #read(name: string): Promise<Buffer | undefined> {
    const { folder, log } = this.options;
    try {
      const bytes = await folder.read(name);
      this.#unreadable.delete(name);
      return bytes;
    } catch (thrown) {
      if (!(thrown instanceof CochleaError && thrown.code === 'retained_audio_unreadable')) throw thrown;
      if (!this.#unreadable.has(name))
        log.error({ err: thrown }, 'an unreadable file is not moved to the bucket');
      if (this.#unreadable.size < mostUnreadable) this.#unreadable.add(name);
      return undefined;
    }
  }
}

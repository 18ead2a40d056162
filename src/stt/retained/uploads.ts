import { within } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import { parseRetainedName, type RetainedFiles, type StoredFile } from '../storage/index.js';

export interface RetainedUploadsOptions {
  readonly folder: RetainedFiles;
  readonly bucket: RetainedFiles;
  readonly log: Logger;
}

/** Ms between two searches of the folder. */
const pause = 5000;
/** Ms for which a process that ends waits for the bucket to take the file that is being moved. */
const closingTimeout = 2000;
/** Names of files that cannot be read which are remembered; those beyond are named again with each search. */
const mostUnreadable = 1000;

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
  /** Files that cannot be read, which the log has named. They stay in the folder, and are looked at again. */
  readonly #unreadable = new Set<string>();
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
    const names = isPair ? [name, description] : [name];
    const contents: Buffer[] = [];
    for (const moved of names) {
      const bytes = await this.#read(moved);
      // Another engine of this machine has moved it, or it cannot be moved.
      if (bytes === undefined) return;
      contents.push(bytes);
    }
    for (const [index, moved] of names.entries()) await this.#options.bucket.write(moved, contents[index]!);
    for (const moved of names.reverse()) await this.#options.folder.remove(moved);
  }

  /** The bytes of a file of the folder; undefined when it is gone, or cannot be read whatever is tried. */
  async #read(name: string): Promise<Buffer | undefined> {
    const { folder, log } = this.#options;
    try {
      const bytes = await folder.read(name);
      this.#unreadable.delete(name);
      return bytes;
    } catch (thrown) {
      if (!(thrown instanceof CochleaError && thrown.code === 'retained_audio_unreadable')) throw thrown;
      if (!this.#unreadable.has(name)) log.error({ err: thrown }, 'a file stays out of the bucket');
      if (this.#unreadable.size < mostUnreadable) this.#unreadable.add(name);
      return undefined;
    }
  }
}

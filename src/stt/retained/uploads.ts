import { within } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import { parseRetainedName, type RetainedFiles, type StoredFile } from '../storage/index.js';

export interface RetainedUploadsOptions {
  readonly folder: RetainedFiles;
  readonly bucket: RetainedFiles;
  readonly log: Logger;
}

/** Interval in ms between two scans of the folder. */
const pause = 5000;
/** Maximum time in ms that a closing process waits for the bucket to store the current file. */
const closingTimeout = 2000;
/**
 * Maximum number of remembered names of unreadable files. Beyond this number, an unreadable file is logged again
 * with each scan.
 */
const mostUnreadable = 1000;

/** Sorts files by name and begins after `name`. Files with earlier names follow at the end. */
const startingAfter = (files: readonly StoredFile[], name: string): StoredFile[] => {
  const sorted = [...files].sort((one, other) => (one.name < other.name ? -1 : 1));
  const next = sorted.findIndex((file) => file.name > name);
  return next < 0 ? sorted : [...sorted.slice(next), ...sorted.slice(0, next)];
};

/**
 * Moves retained audio from an engine's folder to the bucket. Audio is written to the folder while the bucket is
 * unavailable, so that no words are lost. It also moves files of an earlier run. Owned by the engine's main thread.
 */
export class RetainedUploads {
  readonly #timer: NodeJS.Timeout;
  #moving: Promise<void> | undefined;
  #again = false;
  /**
   * Name of the file being moved, or of the file that failed. The next run begins after this file, so that it does
   * not block the others.
   */
  #refused = '';
  /** Names of unreadable files that were logged. The files stay in the folder and are tried again. */
  readonly #unreadable = new Set<string>();
  #closing = false;
  /**
   * Monotonic time (ms) before which no move starts, because the bucket has just failed. This pause avoids reading the
   * folder in vain.
   */
  #notBefore = 0;

  constructor(private readonly options: RetainedUploadsOptions) {
    this.#timer = setInterval(() => void this.move(), pause);
    this.#timer.unref();
  }

  /** Moves all files that are in the folder. Resolves when they are moved or must wait. Never rejects. */
  move(): Promise<void> {
    this.#again = true;
    if (performance.now() < this.#notBefore) return Promise.resolve();
    this.#moving ??= this.#run().finally(() => {
      this.#moving = undefined;
    });
    return this.#moving;
  }

  /**
   * Waits until the current move has ended, but at most `closingTimeout` ms. The next process moves the remaining
   * files. This includes an interrupted file, because a file is removed from the folder last.
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
        // Slightly less than `pause`, because the timer of the next scan may fire early.
        this.#notBefore = performance.now() + pause * 0.9;
        return;
      }
    }
  }

  async #moveFile({ name }: StoredFile, files: readonly StoredFile[]): Promise<void> {
    const parsed = parseRetainedName(name);
    // Skips a description here, because it is moved together with its audio. The audio is written first.
    if (parsed === undefined || parsed.state === 'part' || parsed.form === 'json') return;
    const description = name.replace(/\.wav\b/, '.json');
    const isPair = parsed.form === 'wav';
    if (isPair && !files.some((file) => file.name === description)) return;
    const names = isPair ? [name, description] : [name];
    const contents: Buffer[] = [];
    for (const moved of names) {
      const bytes = await this.#read(moved);
      // Another engine of this machine has already moved the file, or the file is unreadable.
      if (bytes === undefined) return;
      contents.push(bytes);
    }
    for (const [index, moved] of names.entries()) await this.options.bucket.write(moved, contents[index]!);
    for (const moved of names.reverse()) await this.options.folder.remove(moved);
  }

  /** Reads a file of the folder. @returns undefined if it no longer exists or is permanently unreadable. */
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

import { deferred, within } from '../../common/index.js';
import type { Logger } from '../../log/index.js';
import type { RetainedFiles } from '../storage/index.js';
import type { RetainedTarget } from './writer.js';

export interface BucketFirstOptions {
  /** Folder for files that the bucket does not take. */
  readonly folder: RetainedFiles;
  readonly bucket: RetainedFiles;
  readonly log: Logger;
}

/** Number of files that are written at the same time. Each write mostly waits for the answer of the bucket. */
const atOnce = 8;
/** Maximum time in ms for which a file waits for the bucket before it is written to the folder. */
const waitingTime = 5000;
/** Time in ms after a failure of the bucket during which nothing is written to the bucket. */
const pause = 5000;
/**
 * Time in ms for which a closing process still waits for the bucket. After that, all files are written to the folder.
 */
const closingTime = 1500;

/**
 * Writes files to the bucket, or to the folder while the bucket is unavailable. So the files of an engine survive the
 * loss of its disk. If the bucket answers late, the bucket and the folder may both get the file. It has the same name
 * in both, so it counts once.
 */
export class BucketFirst implements RetainedTarget {
  readonly atOnce = atOnce;
  /** Monotonic time (ms) before which the bucket is not tried, because it has just failed. */
  #notBefore = 0;
  /** Promise that, when it resolves, ends the wait of the current writes for the bucket. */
  #givenUp = deferred<false>();
  /** Writes that the bucket has not answered yet, including writes that no longer wait for the bucket. */
  readonly #unanswered = new Set<Promise<boolean>>();
  #closing: NodeJS.Timeout | undefined;

  constructor(private readonly options: BucketFirstOptions) {}

  /**
   * Writes a file. Resolves when the file would survive a power cut.
   * @param toFolder whether the folder is used while the bucket is unavailable. If false, a file that the bucket stores
   * too late is removed from the bucket again.
   * @returns whether the file is in the bucket.
   * @throws errors of the file system.
   */
  async write(name: string, bytes: Uint8Array, toFolder: boolean): Promise<boolean> {
    if (performance.now() >= this.#notBefore && (await this.#toBucket(name, bytes, toFolder))) return true;
    if (toFolder) await this.options.folder.write(name, bytes);
    return false;
  }

  /**
   * Ends all waits for the bucket, and writes to the folder for some seconds. Call it when audio arrives faster than the
   * bucket stores it, because the space for waiting audio is limited.
   */
  relieve(): void {
    this.#skipBucket(performance.now() + pause);
    this.#givenUp.resolve(false);
    this.#givenUp = deferred<false>();
  }

  /** Resolves when the bucket has answered all writes that have begun, so that no further file appears in it. */
  async settled(): Promise<void> {
    await Promise.all(this.#unanswered);
  }

  /** Waits only briefly for the bucket from now on, because the process ends. */
  close(): void {
    this.#closing ??= setTimeout(() => {
      this.#skipBucket(Number.POSITIVE_INFINITY);
      this.relieve();
    }, closingTime);
    this.#closing.unref();
  }

  #skipBucket(until: number): void {
    this.#notBefore = Math.max(this.#notBefore, until);
  }

  async #toBucket(name: string, bytes: Uint8Array, toFolder: boolean): Promise<boolean> {
    const { bucket, log } = this.options;
    const stored = bucket.write(name, bytes).then(
      () => true,
      (thrown: unknown) => {
        log.warn({ err: thrown }, 'retained audio cannot be written, because the bucket is unavailable');
        return false;
      },
    );
    const inTime = within(Promise.race([stored, this.#givenUp.promise]), waitingTime, () => false);
    const answered = stored.then(async (isStored) => {
      if (isStored && !toFolder && !(await inTime)) await this.#remove(name);
      return isStored;
    });
    this.#unanswered.add(answered);
    void answered.then(() => this.#unanswered.delete(answered));
    const isStored = await inTime;
    if (!isStored) this.#skipBucket(performance.now() + pause);
    return isStored;
  }

  /** Removes a file that came too late to the bucket. */
  async #remove(name: string): Promise<void> {
    const { bucket, log } = this.options;
    await bucket
      .remove(name)
      .catch((thrown: unknown) =>
        log.warn({ err: thrown }, 'audio that its device sends again stays in the bucket'),
      );
  }
}

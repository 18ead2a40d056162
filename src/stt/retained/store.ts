import { chmod, mkdir } from 'node:fs/promises';
import { UserSums, within } from '../../common/index.js';
import { CochleaError, reasonOf } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import type { MetricsRow } from '../../metrics/index.js';
import {
  FairQueue,
  type Queueable,
  type QueueBounds,
  sampleRate,
  type UtteranceRequest,
} from '../shared/index.js';
import {
  ownerOf,
  type RetainedCipher,
  type RetainedFiles,
  removeUnfinished,
  retainedBytes,
  retainedFolder,
  retainedKey,
} from '../storage/index.js';
import { type Measurement, measured } from './measurement.js';
import { removeRetained } from './removal.js';
import { RetainedUploads } from './uploads.js';
import { RetainedWriter } from './writer.js';

export interface RetainedStoreOptions {
  readonly directory: string;
  /** Where the files of the folder are moved to; absent: they stay there. */
  readonly bucket?: RetainedFiles | undefined;
  /** Encrypts the files; absent: they are not encrypted. */
  readonly cipher?: RetainedCipher | undefined;
  /** Bytes of all retained audio, and the part of it that one user may take. */
  readonly size: number;
  readonly userSize: number;
  /** Ms for which audio may wait to be transcribed before no new stream should begin. */
  readonly age: number;
  /** Bytes of audio that may wait in memory to be written. */
  readonly waiting: QueueBounds;
  readonly log: Logger;
  readonly metrics: MetricsRow;
}

interface Waiting extends Queueable {
  readonly key: string;
  readonly request: UtteranceRequest;
  readonly reason: string;
  readonly at: Date;
  readonly settle: (key: string | undefined) => void;
}

interface Reservation {
  readonly owner: string;
  readonly bytes: number;
}

/** Ms for which audio is still encoded when the process is about to end. */
const encodingLeft = 2000;
/** Ms between two measurements of the folder: other processes may add or remove files. */
const measureInterval = 60_000;
/** Ms for which an engine that starts waits until the bucket has said what it holds. */
const bucketTimeout = 5000;
/** Used share of the store above which no new stream should begin; the rest is reserved for open streams. */
const fullAbove = 0.95;
const noMeasurement: Measurement = { byOwner: new Map(), oldest: undefined, samples: 0 };

/**
 * The store of audio that could not be transcribed, bounded by age and size, as a whole and for each user: a folder, and the bucket
 * that its files are moved to. It deletes no file but those of deleted accounts, and what killed processes have not finished: audio for
 * which there is no space is refused, and the caller tells the stream. Owned by the main thread of the engine. Several engines may share
 * a folder or a bucket; each learns of the others' files once a minute.
 */
export class RetainedStore {
  readonly #options: RetainedStoreOptions;
  readonly #queue: FairQueue<Waiting>;
  /** Utterances that are counted from the moment they are accepted, before and while they are written. */
  readonly #reserved = new Map<string, Reservation>();
  /** Keys of reserved utterances that were written while the folder was being read. */
  #written: string[] = [];
  readonly #timer: NodeJS.Timeout;
  /** Owners whose accounts are deleted: nothing of them is kept from then on. */
  readonly #erased = new Set<string>();
  /** Writes that are under way. */
  readonly #underWay = new Set<Promise<void>>();
  readonly #folder: RetainedFiles;
  readonly #writer: RetainedWriter;
  readonly #uploads: RetainedUploads | undefined;
  #byOwner = new UserSums();
  #found = noMeasurement;
  #foundInBucket = noMeasurement;
  /** Samples that this process has retained since the last measurement. */
  #samplesSince = 0;
  #measuring = false;
  #writing = 0;
  #lastNumber = 0;

  /**
   * Makes the folder if it is missing, makes it accessible to the user of this process only, and measures it. A bucket that takes
   * longer to list than a moment is counted when it has been listed.
   * @throws CochleaError file_unreadable.
   */
  static async open(options: RetainedStoreOptions): Promise<RetainedStore> {
    const { directory } = options;
    const store = new RetainedStore(options);
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await chmod(directory, 0o700);
      await within(store.#measure(), bucketTimeout, () => undefined);
    } catch (thrown) {
      await store.close();
      throw new CochleaError(
        'file_unreadable',
        { path: directory, why: reasonOf(thrown) },
        { cause: thrown },
      );
    }
    return store;
  }

  private constructor(options: RetainedStoreOptions) {
    this.#options = options;
    this.#queue = new FairQueue(options.waiting);
    const { bucket, cipher, directory, log } = options;
    this.#folder = retainedFolder(directory);
    this.#writer = new RetainedWriter(this.#folder, cipher);
    if (bucket !== undefined) this.#uploads = new RetainedUploads({ folder: this.#folder, bucket, log });
    this.#timer = setInterval(() => {
      this.#measure().catch((thrown: unknown) =>
        options.log.warn({ err: thrown }, 'the retained audio cannot be measured'),
      );
    }, measureInterval);
    this.#timer.unref();
  }

  /** Whether so little space is left, or audio waits for so long, that no new stream should begin. */
  get full(): boolean {
    return this.#byOwner.all > this.#options.size * fullAbove || this.#waited > this.#options.age;
  }

  /** Ms for which the oldest audio has waited to be transcribed. */
  get #waited(): number {
    const { oldest } = this.#found;
    const { oldest: inBucket } = this.#foundInBucket;
    const first = Math.min(oldest ?? Number.POSITIVE_INFINITY, inBucket ?? Number.POSITIVE_INFINITY);
    return Math.max(0, Date.now() - first);
  }

  /**
   * Writes an utterance.
   * @param reason why it was not transcribed, one word.
   * @returns its key; undefined when there is no space for it or it cannot be written: then the utterance is lost. Never
   *   rejects.
   */
  keep(request: UtteranceRequest, reason: string): Promise<string | undefined> {
    if (this.#erased.has(ownerOf(request.user))) return Promise.resolve(undefined);
    const at = new Date();
    const key = retainedKey(request, at, ++this.#lastNumber);
    if (!this.#reserve(key, ownerOf(request.user), retainedBytes(request.pcm.length))) {
      this.#options.log.error({ stream: request.stream }, 'no space is left for retained audio');
      this.#options.metrics.add('utterances_lost_total');
      return Promise.resolve(undefined);
    }
    return new Promise((settle) => {
      const { pcm, stream, user } = request;
      const waiting = { user, stream, size: pcm.byteLength, key, request, reason, at, settle };
      for (const displaced of this.#queue.offer(waiting)) {
        this.#options.log.error({ stream: displaced.stream }, 'retained audio waits too long for the disk');
        this.#lose(displaced);
      }
      this.#pump();
    });
  }

  /**
   * Removes the audio of deleted accounts, and keeps none of theirs from then on.
   * @param owners as the names of files have them.
   * @throws the error of the file system; may be repeated.
   */
  async erase(owners: ReadonlySet<string>): Promise<void> {
    for (const owner of owners) this.#erased.add(owner);
    for (const waiting of this.#queue.remove(({ user }) => owners.has(ownerOf(user)))) this.#drop(waiting);
    await Promise.all(this.#underWay);
    const inFolder = await removeRetained(this.#folder, owners);
    // What is being moved to the bucket is there when it is searched, and nothing of theirs follows.
    await this.#uploads?.move();
    const { bucket } = this.#options;
    const files = inFolder + (bucket === undefined ? 0 : await removeRetained(bucket, owners));
    if (files === 0) return;
    this.#options.log.info({ files }, 'retained audio of deleted accounts is removed');
    await this.#measure();
  }

  /**
   * The process is about to end. What is not encoded `left` ms from now is written as it is, which takes a hundredth of the time and
   * ten times the space; it is transcribed like any other.
   */
  hurry(left = encodingLeft): void {
    this.#writer.hurry(left, () => this.#pump());
  }

  /** Ends the measurements of the folder. Resolves when everything that was accepted is written or lost. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.hurry();
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
    await this.#uploads?.close();
    await this.#writer.close();
    this.#gauge();
  }

  #pump(): void {
    while (this.#writing < this.#writer.atOnce) {
      const waiting = this.#queue.peek();
      if (waiting === undefined) return;
      this.#queue.take(waiting);
      this.#writing++;
      const written = this.#write(waiting).finally(() => {
        this.#writing--;
        this.#underWay.delete(written);
        this.#pump();
      });
      this.#underWay.add(written);
    }
  }

  async #write(waiting: Waiting): Promise<void> {
    const { key, request, reason, at, settle } = waiting;
    const { log, metrics } = this.#options;
    try {
      await this.#writer.write(key, request, reason, at);
    } catch (thrown) {
      log.error({ stream: request.stream, err: thrown }, 'an utterance could not be retained');
      this.#lose(waiting);
      return;
    }
    metrics.add('utterances_retained_total');
    metrics.add('samples_retained_total', request.pcm.length);
    this.#samplesSince += request.pcm.length;
    void this.#uploads?.move();
    if (this.#measuring) this.#written.push(key);
    else this.#reserved.delete(key);
    settle(key);
  }

  #lose(waiting: Waiting): void {
    this.#options.metrics.add('utterances_lost_total');
    this.#drop(waiting);
  }

  #drop({ key, settle }: Waiting): void {
    const { owner, bytes } = this.#reserved.get(key)!;
    this.#reserved.delete(key);
    this.#charge(owner, -bytes);
    settle(undefined);
  }

  #reserve(key: string, owner: string, bytes: number): boolean {
    const { size, userSize } = this.#options;
    if (this.#byOwner.all + bytes > size || this.#byOwner.of(owner) + bytes > userSize) return false;
    this.#reserved.set(key, { owner, bytes });
    this.#charge(owner, bytes);
    return true;
  }

  #charge(owner: string, bytes: number): void {
    this.#byOwner.add(owner, bytes);
    this.#gauge();
  }

  /** Measures the files, without the utterances that this process is writing. */
  async #measure(): Promise<void> {
    if (this.#measuring) return;
    this.#measuring = true;
    this.#samplesSince = 0;
    try {
      await this.#removeUnfinished();
      const isReserved = (key: string): boolean => this.#reserved.has(key);
      this.#found = measured(await this.#folder.list(), isReserved);
      this.#count();
      await this.#measureBucket(isReserved);
      this.#count();
    } finally {
      this.#measuring = false;
      for (const key of this.#written.splice(0)) this.#reserved.delete(key);
    }
    this.#gauge();
  }

  /** They are of no use to anyone, but nothing depends on their removal. */
  async #removeUnfinished(): Promise<void> {
    const { directory, log } = this.#options;
    try {
      const files = await removeUnfinished(directory, Date.now());
      if (files > 0) log.info({ files }, 'unfinished files of killed processes are removed');
    } catch (thrown) {
      log.warn({ err: thrown }, 'unfinished files cannot be removed');
    }
  }

  /** Counts what was found last and what is reserved. */
  #count(): void {
    this.#byOwner = new UserSums();
    for (const { byOwner } of [this.#found, this.#foundInBucket])
      for (const [owner, bytes] of byOwner) this.#byOwner.add(owner, bytes);
    for (const { owner, bytes } of this.#reserved.values()) this.#byOwner.add(owner, bytes);
  }

  /** What the bucket holds is as it was while it cannot be asked: audio is written to the folder meanwhile. */
  async #measureBucket(isReserved: (key: string) => boolean): Promise<void> {
    const { bucket, log } = this.#options;
    if (bucket === undefined) return;
    try {
      this.#foundInBucket = measured(await bucket.list(), isReserved);
    } catch (thrown) {
      log.warn({ err: thrown }, 'the bucket of retained audio cannot be listed');
    }
  }

  #gauge(): void {
    const { metrics } = this.#options;
    metrics.set('retained_audio_bytes', this.#byOwner.all);
    const samples = this.#found.samples + this.#foundInBucket.samples + this.#samplesSince;
    metrics.set('retained_audio_seconds', Math.round(samples / sampleRate));
    metrics.set('retained_audio_oldest_seconds', Math.round(this.#waited / 1000));
    metrics.set('retained_audio_full', this.full ? 1 : 0);
  }
}

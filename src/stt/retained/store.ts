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
import { BucketFirst } from './bucket-first.js';
import { type Measurement, measured } from './measurement.js';
import { removeRetained } from './removal.js';
import { RetainedUploads } from './uploads.js';
import { folderTarget, RetainedWriter } from './writer.js';

export interface RetainedStoreOptions {
  readonly directory: string;
  /**
   * Bucket for the files. The folder then has only files that wait for the bucket. If absent, all files are in the
   * folder.
   */
  readonly bucket?: RetainedFiles | undefined;
  /**
   * If true, audio in the folder counts as safely stored. It is false in a fleet, where a machine may be lost with its
   * disk. In that case, audio that its device would send again is retained only in the bucket.
   */
  readonly diskCounts: boolean;
  /** Encrypts files. If absent, files are not encrypted. */
  readonly cipher?: RetainedCipher | undefined;
  /** Maximum number of bytes of all retained audio. */
  readonly size: number;
  /** Maximum number of bytes of one user's retained audio. */
  readonly userSize: number;
  /** Maximum age in ms of the oldest waiting audio. If it is older, new streams are refused. */
  readonly age: number;
  /** Limits, in bytes, for audio in memory that waits to be written. */
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

/** Time in ms during which a closing process still encodes audio. After that it writes PCM. */
const encodingLeft = 2000;
/**
 * Interval in ms between two measurements of the folder. They are needed because other processes may add or remove
 * files.
 */
const measureInterval = 60_000;
/** Maximum time in ms that a starting engine waits for the list of the bucket's files. */
const bucketTimeout = 5000;
/**
 * Share of the store in use above which new streams are refused. The rest is reserved for streams that are already
 * open.
 */
const fullAbove = 0.95;
/** Share of the space for waiting audio above which audio is written to the folder instead of a slow bucket. */
const crowdedAbove = 0.5;
const noMeasurement: Measurement = { byOwner: new Map(), oldest: undefined, samples: 0 };

/**
 * Stores audio that could not be transcribed, in a bucket or a folder. It limits the total size, the
 * size per user and the age. It deletes only files of deleted accounts and unfinished files of killed processes. If
 * there is no space for audio, it refuses the audio, and the caller reports this to the stream. Owned by the
 * engine's main thread. Several engines may share a folder or a bucket. Each measures the files of the others once
 * a minute.
 */
export class RetainedStore {
  readonly #queue: FairQueue<Waiting>;
  /** Accepted utterances whose files are not written and measured yet, by key. They count as used space. */
  readonly #reserved = new Map<string, Reservation>();
  /** Keys of reserved utterances that were written while a measurement was running. */
  #written: string[] = [];
  readonly #timer: NodeJS.Timeout;
  /** Owners with deleted accounts. Their audio is no longer stored. */
  readonly #erased = new Set<string>();
  /** Writes that are running. */
  readonly #underWay = new Set<Promise<void>>();
  readonly #folder: RetainedFiles;
  readonly #writer: RetainedWriter;
  readonly #uploads: RetainedUploads | undefined;
  readonly #bucketFirst: BucketFirst | undefined;
  #byOwner = new UserSums();
  #found = noMeasurement;
  #foundInBucket = noMeasurement;
  /** Number of samples that this process has retained since the last measurement. */
  #samplesSince = 0;
  #measuring = false;
  #writing = 0;
  #lastNumber = 0;

  /**
   * Creates the folder if it is missing, restricts it to this process's user, and measures it. If listing the bucket
   * takes longer than 5 s, the store opens without the list, and counts the bucket later.
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

  private constructor(private readonly options: RetainedStoreOptions) {
    this.#queue = new FairQueue(options.waiting);
    const { bucket, cipher, directory, log } = options;
    this.#folder = retainedFolder(directory);
    if (bucket !== undefined) {
      this.#bucketFirst = new BucketFirst({ folder: this.#folder, bucket, log });
      this.#uploads = new RetainedUploads({ folder: this.#folder, bucket, log });
    }
    this.#writer = new RetainedWriter(this.#bucketFirst ?? folderTarget(this.#folder), cipher);
    this.#timer = setInterval(() => {
      this.#measure().catch((thrown: unknown) =>
        options.log.warn({ err: thrown }, 'the retained audio cannot be measured'),
      );
    }, measureInterval);
    this.#timer.unref();
  }

  /** Whether new streams should be refused, because little space is left or audio has waited too long. */
  get full(): boolean {
    return this.#byOwner.all > this.options.size * fullAbove || this.#waited > this.options.age;
  }

  /** Age in ms of the oldest audio that waits for transcription. */
  get #waited(): number {
    const { oldest } = this.#found;
    const { oldest: inBucket } = this.#foundInBucket;
    const first = Math.min(oldest ?? Number.POSITIVE_INFINITY, inBucket ?? Number.POSITIVE_INFINITY);
    return Math.max(0, Date.now() - first);
  }

  /**
   * Stores an utterance.
   * @param reason why it was not transcribed, in one word.
   * @returns the utterance's key. Undefined if there is no space or the file cannot be written; the utterance is
   * then lost, unless its device sends it again. Never rejects.
   */
  keep(request: UtteranceRequest, reason: string): Promise<string | undefined> {
    if (this.#erased.has(ownerOf(request.user))) return Promise.resolve(undefined);
    if (this.#needsBucket(request) && this.options.bucket === undefined) return Promise.resolve(undefined);
    const at = new Date();
    const key = retainedKey(request, at, ++this.#lastNumber);
    if (!this.#reserve(key, ownerOf(request.user), retainedBytes(request.pcm.length))) {
      this.options.log.error({ stream: request.stream }, 'no space is left for retained audio');
      this.options.metrics.add('utterances_lost_total');
      return Promise.resolve(undefined);
    }
    return new Promise((settle) => {
      const { pcm, stream, user } = request;
      const waiting = { user, stream, size: pcm.byteLength, key, request, reason, at, settle };
      for (const displaced of this.#queue.offer(waiting)) {
        this.options.log.error(
          { stream: displaced.stream },
          'the disk is too slow: retained audio is dropped from the write queue',
        );
        this.#lose(displaced);
      }
      if (this.#queue.size > this.options.waiting.total * crowdedAbove) this.#bucketFirst?.relieve();
      this.#pump();
    });
  }

  /**
   * Removes the audio of deleted accounts, and refuses to store more of it.
   * @param owners owner parts of file names.
   * @throws errors of the file system. The call may be repeated.
   */
  async erase(owners: ReadonlySet<string>): Promise<void> {
    for (const owner of owners) this.#erased.add(owner);
    for (const waiting of this.#queue.remove(({ user }) => owners.has(ownerOf(user)))) this.#drop(waiting);
    await Promise.all(this.#underWay);
    const inFolder = await removeRetained(this.#folder, owners);
    // Waits until moves to the bucket and late writes in the bucket have ended. After that, all files of these owners
    // are in the bucket and no more will follow.
    await this.#uploads?.move();
    await this.#bucketFirst?.settled();
    const { bucket } = this.options;
    const files = inFolder + (bucket === undefined ? 0 : await removeRetained(bucket, owners));
    if (files === 0) return;
    this.options.log.info({ files }, 'retained audio of deleted accounts is removed');
    await this.#measure();
  }

  /**
   * Prepares for the end of the process. Audio that is not encoded within `left` ms is written as PCM. Writing PCM
   * takes a hundredth of the time of encoding, and ten times the space. Files with PCM are transcribed like other
   * files.
   */
  hurry(left = encodingLeft): void {
    this.#writer.hurry(left, () => {
      this.#bucketFirst?.close();
      this.#pump();
    });
  }

  /** Stops measuring and closes the store. Resolves when all accepted audio is written or lost. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.hurry();
    const moved = this.#uploads?.close();
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
    await moved;
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
    const { log, metrics } = this.options;
    let isInPlace: boolean;
    try {
      isInPlace = await this.#writer.write(key, request, reason, at, !this.#needsBucket(request));
    } catch (thrown) {
      log.error({ stream: request.stream, err: thrown }, 'an utterance could not be retained');
      this.#lose(waiting);
      return;
    }
    if (!isInPlace && this.#needsBucket(request)) {
      log.warn({ stream: request.stream }, 'the bucket is unavailable: the device has to send audio again');
      this.#drop(waiting);
      return;
    }
    metrics.add('utterances_retained_total');
    metrics.add('samples_retained_total', request.pcm.length);
    this.#samplesSince += request.pcm.length;
    if (!isInPlace) {
      metrics.add('utterances_retained_on_disk_total');
      void this.#uploads?.move();
    }
    if (this.#measuring) this.#written.push(key);
    else this.#reserved.delete(key);
    settle(key);
  }

  /** Whether an utterance may not be retained in the folder. */
  #needsBucket({ resends }: UtteranceRequest): boolean {
    return resends === true && !this.options.diskCounts;
  }

  #lose(waiting: Waiting): void {
    this.options.metrics.add('utterances_lost_total');
    this.#drop(waiting);
  }

  #drop({ key, settle }: Waiting): void {
    const { owner, bytes } = this.#reserved.get(key)!;
    this.#reserved.delete(key);
    this.#charge(owner, -bytes);
    settle(undefined);
  }

  #reserve(key: string, owner: string, bytes: number): boolean {
    const { size, userSize } = this.options;
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

  /** Removes unfinished files. Failures are only logged, because no other operation needs the removal. */
  async #removeUnfinished(): Promise<void> {
    const { directory, log } = this.options;
    try {
      const files = await removeUnfinished(directory, Date.now());
      if (files > 0) log.info({ files }, 'unfinished files of killed processes are removed');
    } catch (thrown) {
      log.warn({ err: thrown }, 'unfinished files cannot be removed');
    }
  }

  /** Computes the used space from the last measurements and the reserved utterances. */
  #count(): void {
    this.#byOwner = new UserSums();
    for (const { byOwner } of [this.#found, this.#foundInBucket])
      for (const [owner, bytes] of byOwner) this.#byOwner.add(owner, bytes);
    for (const { owner, bytes } of this.#reserved.values()) this.#byOwner.add(owner, bytes);
  }

  /**
   * Measures the bucket. If it is unreachable, the last measurement stays valid, because all new audio is then in
   * the folder.
   */
  async #measureBucket(isReserved: (key: string) => boolean): Promise<void> {
    const { bucket, log } = this.options;
    if (bucket === undefined) return;
    try {
      this.#foundInBucket = measured(await bucket.list(), isReserved);
    } catch (thrown) {
      log.warn({ err: thrown }, 'the bucket of retained audio cannot be listed');
    }
  }

  #gauge(): void {
    const { metrics } = this.options;
    metrics.set('retained_audio_bytes', this.#byOwner.all);
    const samples = this.#found.samples + this.#foundInBucket.samples + this.#samplesSince;
    metrics.set('retained_audio_seconds', Math.round(samples / sampleRate));
    metrics.set('retained_audio_oldest_seconds', Math.round(this.#waited / 1000));
    metrics.set('retained_audio_full', this.full ? 1 : 0);
  }
}

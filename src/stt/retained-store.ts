import { chmod, mkdir, opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CochleaError, reasonOf } from '../errors/index.js';
import type { Logger } from '../log/index.js';
import type { MetricsRow } from '../metrics/index.js';
import { FairQueue, type Queueable, type QueueBounds } from './fair-queue.js';
import type { UtteranceRequest } from './provider.js';
import { ownerOf, parseRetainedKey, retainedBytes, retainedKey, writeRetained } from './retained-file.js';
import { removeRetained } from './retained-removal.js';

export interface RetainedStoreOptions {
  readonly directory: string;
  /** Disk space in bytes for all retained audio, and the part of it that one user may take. */
  readonly size: number;
  readonly userSize: number;
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

/** Files written at the same time; more would not be faster on one disk. */
const writers = 2;
/** Ms between two measurements of the folder: other processes may add or remove files. */
const measureInterval = 60_000;
/** Used share of the store above which no new stream should begin; the rest is reserved for open streams. */
const fullAbove = 0.95;
/** Owner to which files with an unknown form of name are charged. */
const unknownOwner = '';

/**
 * The folder of audio that could not be transcribed, bounded as a whole and for each user. It deletes no file but those of deleted
 * accounts: audio for which there is no space is refused, and the caller tells the stream. Owned by the main thread of the engine. Several engines
 * may share a folder; each learns of the others' files once a minute.
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
  #bytes = 0;
  #byOwner = new Map<string, number>();
  #measuring = false;
  #writing = 0;
  #lastNumber = 0;

  /**
   * Makes the folder if it is missing, makes it accessible to the user of this process only, and measures it.
   * @throws CochleaError file_unreadable.
   */
  static async open(options: RetainedStoreOptions): Promise<RetainedStore> {
    const { directory } = options;
    const store = new RetainedStore(options);
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await chmod(directory, 0o700);
      await store.#measure();
    } catch (thrown) {
      store.close();
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
    this.#timer = setInterval(() => {
      this.#measure().catch((thrown: unknown) =>
        options.log.warn({ err: thrown }, 'the retained audio cannot be measured'),
      );
    }, measureInterval);
    this.#timer.unref();
  }

  /** Whether so little space is left that no new stream should begin. */
  get full(): boolean {
    return this.#bytes > this.#options.size * fullAbove;
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
    const files = await removeRetained(this.#options.directory, owners);
    if (files === 0) return;
    this.#options.log.info({ files }, 'retained audio of deleted accounts is removed');
    await this.#measure();
  }

  /** Ends the measurements of the folder; waiting utterances are still written. */
  close(): void {
    clearInterval(this.#timer);
    this.#gauge();
  }

  #pump(): void {
    while (this.#writing < writers) {
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
    const { directory, log, metrics } = this.#options;
    try {
      await writeRetained(directory, key, request, reason, at);
    } catch (thrown) {
      log.error({ stream: request.stream, err: thrown }, 'an utterance could not be retained');
      this.#lose(waiting);
      return;
    }
    metrics.add('utterances_retained_total');
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
    if (this.#bytes + bytes > size || (this.#byOwner.get(owner) ?? 0) + bytes > userSize) return false;
    this.#reserved.set(key, { owner, bytes });
    this.#charge(owner, bytes);
    return true;
  }

  #charge(owner: string, bytes: number): void {
    this.#bytes += bytes;
    this.#byOwner.set(owner, (this.#byOwner.get(owner) ?? 0) + bytes);
    this.#gauge();
  }

  /** Measures the files in the folder, without the utterances that this process is writing. */
  async #measure(): Promise<void> {
    if (this.#measuring) return;
    this.#measuring = true;
    try {
      const found = await this.#read();
      for (const { owner, bytes } of this.#reserved.values())
        found.set(owner, (found.get(owner) ?? 0) + bytes);
      this.#byOwner = found;
      this.#bytes = [...found.values()].reduce((sum, bytes) => sum + bytes, 0);
    } finally {
      this.#measuring = false;
      for (const key of this.#written.splice(0)) this.#reserved.delete(key);
    }
    this.#gauge();
  }

  /** Bytes in the folder by owner, without the utterances that are reserved. */
  async #read(): Promise<Map<string, number>> {
    const { directory } = this.#options;
    const found = new Map<string, number>();
    for await (const { name } of await opendir(directory, { bufferSize: 512 })) {
      // The description is counted with its audio. A `.part` file that was never finished takes space as well.
      const key = /^(.*)\.wav(\.part)?$/.exec(name)?.[1];
      if (key === undefined || this.#reserved.has(key)) continue;
      const parsed = parseRetainedKey(key);
      const owner = parsed?.owner ?? unknownOwner;
      const bytes =
        parsed === undefined ? await sizeOf(join(directory, name)) : retainedBytes(parsed.samples);
      found.set(owner, (found.get(owner) ?? 0) + bytes);
    }
    return found;
  }

  #gauge(): void {
    const { metrics } = this.#options;
    metrics.set('retained_audio_bytes', this.#bytes);
    metrics.set('retained_audio_full', this.full ? 1 : 0);
  }
}

/** Bytes of a file; 0 when it was removed meanwhile. */
const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0;

import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import { CochleaError, reasonOf } from '../errors/index.js';
import { decodeSpillEntry, encodeSpillEntry, type SpillEntry } from '../wire/spill.js';
import { syncFolder } from './durable-files.js';

/** What an entry costs beside its bytes, about: key, header, its share of the page. */
const entryOverhead = 64;

export interface SpilledEntry {
  readonly key: number;
  /** Undefined when the bytes cannot be read as an entry: written by a newer release, or damaged. */
  readonly entry: SpillEntry | undefined;
  readonly bytes: Uint8Array;
}

interface Pending {
  readonly bytes: Uint8Array;
  readonly resolve: () => void;
  readonly reject: (reason: CochleaError) => void;
}

/**
 * A durable queue of journal entries in one LMDB environment. Entries leave in the order they came. Belongs to one
 * journal.
 *
 * Commits are synchronous: LMDB's asynchronous writer does not survive a full disk. They take some milliseconds of the
 * caller's thread, so everything appended within one turn of the event loop shares one.
 */
export class Spill {
  readonly path: string;
  readonly #limit: number;
  readonly #database: RootDatabase<Buffer, number>;
  /** Key of the oldest entry still to be replayed, and of the next to be written. */
  #first = 1;
  #next = 1;
  #bytes = 0;
  #pending: Pending[] = [];
  #scheduled: NodeJS.Immediate | undefined;

  /**
   * Opens the folder, or makes it.
   * @param limit bytes it may hold; over it `append` rejects.
   * @throws what LMDB throws for a damaged folder or a full disk.
   */
  constructor(path: string, limit: number) {
    this.path = path;
    this.#limit = limit;
    refuseForeign(join(path, 'data.mdb'));
    this.#database = open<Buffer, number>({
      path,
      // Else a name with a dot would be taken for a file.
      noSubdir: false,
      encoding: 'binary',
      keyEncoding: 'uint32',
      compression: false,
      // A commit has been synced when it returns.
      overlappingSync: false,
    });
    // LMDB syncs what it writes, but neither the names of its files nor that of their folder.
    syncFolder(path);
    syncFolder(dirname(path));
    for (const { key, value } of this.#database.getRange()) {
      if (this.#bytes === 0) this.#first = key;
      this.#bytes += value.byteLength + entryOverhead;
      this.#next = key + 1;
    }
    if (this.#bytes === 0) this.#first = this.#next;
  }

  /** Entries that are durable and not yet replayed. */
  get depth(): number {
    return this.#next - this.#first;
  }

  /**
   * Resolves once the entry is on disk. Its place in the order is that of the call.
   * @throws CochleaError journal_spill_failed when the limit is reached or the disk refuses; nothing is kept then.
   */
  append(entry: SpillEntry): Promise<void> {
    const bytes = encodeSpillEntry(entry);
    const size = bytes.byteLength + entryOverhead;
    if (this.#bytes + size > this.#limit) {
      const why = `the spill holds ${this.#bytes} bytes, its limit is ${this.#limit}`;
      return Promise.reject(new CochleaError('journal_spill_failed', { why }));
    }
    this.#bytes += size;
    return new Promise((resolve, reject) => {
      this.#pending.push({ bytes, resolve, reject });
      this.#scheduled ??= setImmediate(() => this.flush());
    });
  }

  /** Writes what was appended and settles it. */
  flush(): void {
    clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    const pending = this.#pending;
    if (pending.length === 0) return;
    this.#pending = [];
    try {
      this.#database.transactionSync(() => {
        pending.forEach(({ bytes }, index) => {
          this.#database.putSync(
            this.#next + index,
            Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
          );
        });
      });
      this.#next += pending.length;
      for (const { resolve } of pending) resolve();
    } catch (thrown) {
      const failure = new CochleaError('journal_spill_failed', { why: reasonOf(thrown) }, { cause: thrown });
      for (const { bytes, reject } of pending) {
        this.#bytes -= bytes.byteLength + entryOverhead;
        reject(failure);
      }
    }
  }

  /** The oldest entries not yet replayed, at most `limit`. */
  peek(limit: number): SpilledEntry[] {
    const entries: SpilledEntry[] = [];
    for (const { key, value } of this.#database.getRange({ start: this.#first, limit })) {
      // LMDB may reuse the memory under a value.
      const bytes = Uint8Array.from(value);
      entries.push({ key, entry: readEntry(bytes), bytes });
    }
    return entries;
  }

  /**
   * Forgets the oldest entries, which are in the database now. On a disk too full even for that they stay until the
   * folder is erased; a crash before that repeats them, which changes nothing.
   */
  remove(entries: readonly SpilledEntry[]): void {
    const last = entries.at(-1);
    if (last === undefined) return;
    this.#first = last.key + 1;
    try {
      this.#database.transactionSync(() => {
        for (const { key } of entries) this.#database.removeSync(key);
      });
      for (const { bytes } of entries) this.#bytes -= bytes.byteLength + entryOverhead;
    } catch {
      // Their bytes stay counted: the space is not free.
    }
  }

  /** Closes the environment; with `erase` its folder goes too, which gives the space back. */
  async close(erase: boolean): Promise<void> {
    this.flush();
    await this.#database.close();
    if (erase) await rm(this.path, { recursive: true, force: true });
  }
}

/** Of both copies of the header: a page each, the mark behind the page's own header. */
const headerPage = 4096;
const markOffset = 24;
const mark = 0xbeefc0de;

/** LMDB maps a file without looking; one that is cut short or not its own would end the process. */
const refuseForeign = (path: string): void => {
  if (!existsSync(path)) return;
  const descriptor = openSync(path, 'r');
  try {
    const start = Buffer.alloc(2 * headerPage);
    const length = readSync(descriptor, start);
    // Made, and never written: a crash at the first entry.
    if (length === 0) return;
    const whole = length === start.length;
    if (whole && [0, headerPage].every((page) => start.readUInt32LE(page + markOffset) === mark)) return;
  } finally {
    closeSync(descriptor);
  }
  throw new Error(`${path} is damaged`);
};

const readEntry = (bytes: Uint8Array): SpillEntry | undefined => {
  try {
    return decodeSpillEntry(bytes);
  } catch {
    return undefined;
  }
};

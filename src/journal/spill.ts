import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import { CochleaError, reasonOf } from '../errors/index.js';
import {
  type EntryNumber,
  encodeSpillEntry,
  isNewerEntry,
  readEntryNumber,
  readSpillEntry,
  type SpillEntry,
  withEntryNumber,
} from '../wire/spill/index.js';
import { syncFolder } from './durable-files.js';

/** Approximate number of bytes that an entry needs in addition to its content, for the key and for headers of LMDB. */
const entryOverhead = 64;

export interface SpilledEntry {
  readonly key: number;
  /** The decoded entry; undefined if the bytes are damaged, or only a newer program can read them. */
  readonly entry: SpillEntry | undefined;
  /** Whether only a newer program can read the entry. */
  readonly isNewer: boolean;
  /** Number of the entry in its journal; undefined for an entry that was written without a number. */
  readonly number: EntryNumber | undefined;
  readonly bytes: Uint8Array;
}

/** Data for the numbers of a spill's entries. */
export interface SpillNumbers {
  /** Name of the journal in the database. */
  readonly journal: string;
  /** Number of entries in earlier spills of the journal. */
  readonly before: number;
}

/** Entries that wait for their replay, in order. */
export interface EntryQueue {
  /** Returns the oldest entries, at most `limit`. */
  peek(limit: number): readonly SpilledEntry[];
  /** Removes the oldest entries, which are now in the database. */
  remove(entries: readonly SpilledEntry[]): void;
}

/** Decodes an entry that waits for its replay. */
export const spilledEntry = (key: number, bytes: Uint8Array): SpilledEntry => {
  const isNewer = isNewerEntry(bytes);
  const entry = isNewer ? undefined : readSpillEntry(bytes);
  return { key, entry, isNewer, number: readEntryNumber(bytes), bytes };
};

interface Pending {
  readonly bytes: Uint8Array;
  readonly resolve: (key: number) => void;
  readonly reject: (reason: CochleaError) => void;
}

/**
 * A durable first-in, first-out queue of journal entries in one LMDB environment. Only one journal uses it.
 *
 * Commits are synchronous, because LMDB's asynchronous writer does not survive a full disk. A commit blocks the
 * caller's thread for some milliseconds, so entries that are appended within one turn of the event loop share one
 * commit.
 */
export class Spill implements EntryQueue {
  readonly #database: RootDatabase<Buffer, number>;
  /** Keys of the oldest entry to replay (`#first`) and of the next entry to write (`#next`). */
  #first = 1;
  #next = 1;
  /** Largest key that was read for a replay. */
  #peeked = 0;
  #closing = false;
  #bytes = 0;
  #pending: Pending[] = [];
  #scheduled: NodeJS.Immediate | undefined;

  /**
   * Opens the spill's folder, and creates it if needed.
   * @param limit maximum size of the spill in bytes. When the spill has this size, `append` rejects.
   * @param numbers if absent, new entries have no numbers. Only entries that are copied to the fleet's stream need
   *   numbers.
   * @throws LMDB's error for a damaged folder or a full disk.
   */
  constructor(
    readonly path: string,
    private readonly limit: number,
    private readonly numbers?: SpillNumbers,
  ) {
    refuseForeign(join(path, 'data.mdb'));
    this.#database = open<Buffer, number>({
      path,
      // By default LMDB treats a path with a dot as a file.
      noSubdir: false,
      encoding: 'binary',
      keyEncoding: 'uint32',
      compression: false,
      // Makes a commit return only after its data was synced to disk.
      overlappingSync: false,
    });
    // Syncs the names, because LMDB syncs only the content of its files.
    syncFolder(path);
    syncFolder(dirname(path));
    for (const { key, value } of this.#database.getRange()) {
      if (this.#bytes === 0) this.#first = key;
      this.#bytes += value.byteLength + entryOverhead;
      this.#next = key + 1;
    }
    if (this.#bytes === 0) this.#first = this.#next;
  }

  /** Number of durable entries that were not replayed yet. */
  get depth(): number {
    return this.#next - this.#first;
  }

  /** Key of the newest entry on the disk; 0 if there was none. */
  get last(): number {
    return this.#next - 1;
  }

  /**
   * Appends an entry, in the order of the calls. Resolves with the key of the entry when the entry is on disk.
   * @throws CochleaError journal_spill_failed if the limit is reached or the write fails. In this case, the entry is
   *   not stored.
   */
  append(entry: SpillEntry): Promise<number> {
    const bytes = this.#encode(entry, this.#next + this.#pending.length);
    const size = bytes.byteLength + entryOverhead;
    if (this.#bytes + size > this.limit) {
      const why = `the spill holds ${this.#bytes} bytes, its limit is ${this.limit}`;
      return Promise.reject(new CochleaError('journal_spill_failed', { why }));
    }
    this.#bytes += size;
    return new Promise((resolve, reject) => {
      this.#pending.push({ bytes, resolve, reject });
      this.#scheduled ??= setImmediate(() => this.flush());
    });
  }

  /**
   * Replaces an entry on the disk by a smaller one.
   * @returns false if the entry was not replaced, because the database may already have it, the spill is closing, or
   *   the disk fails.
   */
  replace(key: number, entry: SpillEntry): boolean {
    if (this.#closing || key < this.#first || key <= this.#peeked) return false;
    const bytes = this.#encode(entry, key);
    try {
      this.#database.putSync(key, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      return true;
    } catch {
      return false;
    }
  }

  #encode(entry: SpillEntry, key: number): Uint8Array {
    const bytes = encodeSpillEntry(entry);
    if (this.numbers === undefined) return bytes;
    const { journal, before } = this.numbers;
    return withEntryNumber(bytes, { journal, number: before + key });
  }

  /** Commits the entries appended so far, and settles their promises. */
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
      const first = this.#next;
      this.#next += pending.length;
      for (const [index, { resolve }] of pending.entries()) resolve(first + index);
    } catch (thrown) {
      const failure = new CochleaError('journal_spill_failed', { why: reasonOf(thrown) }, { cause: thrown });
      for (const { bytes, reject } of pending) {
        this.#bytes -= bytes.byteLength + entryOverhead;
        reject(failure);
      }
    }
  }

  /** Returns the oldest entries that were not replayed yet, at most `limit`. */
  peek(limit: number): SpilledEntry[] {
    const entries = this.read(this.#first, limit).map(({ key, bytes }) => spilledEntry(key, bytes));
    this.#peeked = Math.max(this.#peeked, entries.at(-1)?.key ?? 0);
    return entries;
  }

  /** Returns entries on the disk with keys from `from`, at most `limit`. */
  read(from: number, limit: number): { readonly key: number; readonly bytes: Uint8Array }[] {
    const entries: { readonly key: number; readonly bytes: Uint8Array }[] = [];
    for (const { key, value } of this.#database.getRange({ start: Math.max(from, this.#first), limit })) {
      // Copies the value, because LMDB may reuse its memory.
      entries.push({ key, bytes: Uint8Array.from(value) });
    }
    return entries;
  }

  /**
   * Removes the oldest entries, which are now in the database. If the disk is too full, the removal fails, and the
   * entries stay until the folder is erased. After a crash, such entries would be replayed again, which changes
   * nothing.
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
      // The bytes are still counted, because the disk space was not freed.
    }
  }

  /** Closes the environment. @param erase whether to remove the folder too, which frees the disk space. */
  async close(erase: boolean): Promise<void> {
    this.flush();
    this.#closing = true;
    await this.#database.close();
    if (erase) await rm(this.path, { recursive: true, force: true });
  }
}

/**
 * Size of a page of an LMDB file. The first two pages each contain a copy of LMDB's file header. In such a page, LMDB's
 * magic number follows the header of the page.
 */
const headerPage = 4096;
const markOffset = 24;
const mark = 0xbeefc0de;

/**
 * Refuses a file that was not written by LMDB. LMDB maps files into memory without checking them, so a truncated or
 * foreign file would crash the process.
 */
const refuseForeign = (path: string): void => {
  if (!existsSync(path)) return;
  const descriptor = openSync(path, 'r');
  try {
    const start = Buffer.alloc(2 * headerPage);
    const length = readSync(descriptor, start);
    // Accepts an empty file: the process created it and crashed before it wrote the first entry.
    if (length === 0) return;
    const whole = length === start.length;
    if (whole && [0, headerPage].every((page) => start.readUInt32LE(page + markOffset) === mark)) return;
  } finally {
    closeSync(descriptor);
  }
  throw new Error(`${path} is damaged`);
};

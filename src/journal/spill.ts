import { rm } from 'node:fs/promises';
import { open, type RootDatabase } from 'lmdb';
import { CochleaError, reasonOf } from '../errors/index.js';
import { decodeSpillEntry, encodeSpillEntry, type SpillEntry } from '../wire/spill.js';

/** What an entry costs beside its bytes, about: key, header, its share of the page. */
const entryOverhead = 64;

export interface SpilledEntry {
  readonly key: number;
  /** Undefined when the bytes cannot be read as an entry: written by a newer release, or damaged. */
  readonly entry: SpillEntry | undefined;
  readonly bytes: Uint8Array;
}

/**
 * A durable queue of journal entries in one LMDB environment. `append` resolves after the commit was synced. Entries
 * leave in the order they came. Belongs to one journal.
 */
export class Spill {
  readonly path: string;
  readonly #limit: number;
  readonly #database: RootDatabase<Buffer, number>;
  #next = 1;
  #bytes = 0;
  #count = 0;

  /**
   * Opens the folder, or makes it.
   * @param limit bytes it may hold; over it `append` rejects.
   * @throws what LMDB throws for a damaged folder or a full disk.
   */
  constructor(path: string, limit: number) {
    this.path = path;
    this.#limit = limit;
    this.#database = open<Buffer, number>({
      path,
      // Else a name with a dot would be taken for a file.
      noSubdir: false,
      encoding: 'binary',
      keyEncoding: 'uint32',
      compression: false,
      // A commit is acknowledged by its callback only after it was synced, not before.
      overlappingSync: false,
      // Our batches are few and an entry is awaited: nothing is gained by waiting for more.
      commitDelay: 0,
    });
    for (const { key, value } of this.#database.getRange()) {
      this.#count++;
      this.#bytes += value.byteLength + entryOverhead;
      this.#next = key + 1;
    }
  }

  get depth(): number {
    return this.#count;
  }

  /** @throws CochleaError journal_spill_failed when the limit is reached or the disk refuses; nothing is kept then. */
  async append(entry: SpillEntry): Promise<void> {
    const bytes = encodeSpillEntry(entry);
    const size = bytes.byteLength + entryOverhead;
    if (this.#bytes + size > this.#limit) {
      throw new CochleaError('journal_spill_failed', {
        why: `the spill holds ${this.#bytes} bytes, its limit is ${this.#limit}`,
      });
    }
    const key = this.#next++;
    this.#bytes += size;
    try {
      await this.#database.put(key, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      this.#count++;
    } catch (thrown) {
      this.#bytes -= size;
      throw new CochleaError('journal_spill_failed', { why: reasonOf(thrown) }, { cause: thrown });
    }
  }

  /** The oldest entries, at most `limit`. */
  peek(limit: number): SpilledEntry[] {
    const entries: SpilledEntry[] = [];
    for (const { key, value } of this.#database.getRange({ limit })) {
      // LMDB may reuse the memory under a value.
      const bytes = Uint8Array.from(value);
      entries.push({ key, entry: readEntry(bytes), bytes });
    }
    return entries;
  }

  /** Forgets entries that are in the database now. */
  async remove(keys: readonly number[]): Promise<void> {
    if (keys.length === 0) return;
    let freed = 0;
    await this.#database.batch(() => {
      for (const key of keys) {
        freed += (this.#database.getBinary(key)?.byteLength ?? 0) + entryOverhead;
        this.#database.remove(key);
      }
    });
    this.#count -= keys.length;
    this.#bytes = Math.max(0, this.#bytes - freed);
  }

  /** Closes the environment; with `erase` its folder goes too, which gives the space back. */
  async close(erase: boolean): Promise<void> {
    await this.#database.close();
    if (erase) await rm(this.path, { recursive: true, force: true });
  }
}

const readEntry = (bytes: Uint8Array): SpillEntry | undefined => {
  try {
    return decodeSpillEntry(bytes);
  } catch {
    return undefined;
  }
};

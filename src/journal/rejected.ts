import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fixedLimits } from '../config/limits/index.js';
import type { Logger } from '../log/index.js';
import type { MetricsRow } from '../metrics/index.js';
import { encodeSpillEntry, readSpillEntry, type SpillEntry } from '../wire/spill/index.js';
import { makeDurableFolder, syncFolder, writeDurableFile } from './durable-files.js';

/** An entry that the database refused permanently, kept as a file. */
export interface RejectedEntry {
  /** Name of the entry's file, without `.entry`. */
  readonly id: string;
  readonly at: Date;
  /**
   * SQLSTATE of the refusal. `unreadable` if the bytes cannot be decoded; `unknown` if the file name contains no
   * reason.
   */
  readonly reason: string;
  readonly bytes: number;
}

const namePattern = /^(\d{10,16})-[0-9a-f]+(?:-([0-9A-Z]{5}|unreadable|unknown))?\.entry$/;
const folderOf = (spillDir: string): string => join(spillDir, 'rejected');

/** Lists the rejected entries of a spill folder, oldest first. Ignores files that are not rejected entries. */
export const listRejected = (spillDir: string): RejectedEntry[] => {
  let names: string[];
  try {
    names = readdirSync(folderOf(spillDir));
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw thrown;
  }
  return names
    .flatMap((name) => {
      const [, at, reason = 'unknown'] = namePattern.exec(name) ?? [];
      if (at === undefined) return [];
      // Another command may have imported and removed the file since the folder was listed.
      const bytes = statSync(join(folderOf(spillDir), name), { throwIfNoEntry: false })?.size;
      return bytes === undefined
        ? []
        : [{ id: name.slice(0, -'.entry'.length), at: new Date(Number(at)), reason, bytes }];
    })
    .sort((a, b) => a.id.localeCompare(b.id));
};

/** Reads a rejected entry; undefined if its bytes cannot be decoded. */
export const readRejected = (spillDir: string, { id }: RejectedEntry): SpillEntry | undefined =>
  readSpillEntry(readFileSync(join(folderOf(spillDir), `${id}.entry`)));

/** Removes the file of a rejected entry. */
export const removeRejected = (spillDir: string, { id }: RejectedEntry): void => {
  rmSync(join(folderOf(spillDir), `${id}.entry`), { force: true });
  syncFolder(folderOf(spillDir));
};

/**
 * Removes the entries of deleted accounts. An entry that cannot be read stays, because its account is unknown.
 * @param isDeleted whether the account of this uid is deleted.
 * @returns the number of removed entries.
 */
export const removeRejectedOf = (spillDir: string, isDeleted: (uid: string) => boolean): number => {
  let removed = 0;
  for (const rejected of listRejected(spillDir)) {
    const entry = readRejected(spillDir, rejected);
    const uids =
      entry?.kind === 'commit'
        ? entry.changes.map(({ conversation }) => conversation.uid)
        : entry?.kind === 'begin'
          ? [entry.conversation.uid]
          : [];
    if (uids.length === 0 || !uids.every(isDeleted)) continue;
    removeRejected(spillDir, rejected);
    removed++;
  }
  return removed;
};

/** Time in ms after which the size of the folder is measured again, because other shards write to the same folder. */
const sizeLifetime = 5000;

export interface RejectedOptions {
  readonly spillDir: string;
  readonly log: Logger;
  readonly metrics: MetricsRow;
  /** Maximum size of the folder, in bytes. The default is `fixedLimits.rejectedEntries`. */
  readonly limit?: number;
}

/**
 * The folder for entries that the database refuses permanently. In this folder, they do not delay other entries, and an
 * operator can import them later. The size of the folder is limited. Half of the limit is reserved for entries from a
 * spill, which were already reported to clients as safe.
 */
export class RejectedFolder {
  #size = 0;
  #measured = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: RejectedOptions) {
    this.#measure();
  }

  /**
   * Stores an entry in the folder.
   * @param reason SQLSTATE, or `unreadable`.
   * @param acknowledged whether the entry was already reported to a client as safe.
   * @returns false if the folder is full or cannot be written. In this case, the entry is lost, and a metric counts it.
   */
  async add(entry: SpillEntry | Uint8Array, reason: string, acknowledged: boolean): Promise<boolean> {
    const { spillDir, log, metrics } = this.options;
    const bytes = entry instanceof Uint8Array ? entry : encodeSpillEntry(entry);
    const limit = this.options.limit ?? fixedLimits.rejectedEntries.value;
    if (performance.now() - this.#measured > sizeLifetime) this.#measure();
    if (this.#size + bytes.byteLength > (acknowledged ? limit : limit / 2)) {
      metrics.add('journal_rejected_lost_total');
      log.error({ reason }, 'the folder of rejected entries is full; an entry is lost');
      return false;
    }
    const noted = /^[0-9A-Z]{5}$/.test(reason) || reason === 'unreadable' ? reason : 'unknown';
    const name = `${String(Date.now()).padStart(15, '0')}-${randomBytes(6).toString('hex')}-${noted}.entry`;
    try {
      makeDurableFolder(folderOf(spillDir), 0o700);
      await writeDurableFile(join(folderOf(spillDir), name), bytes);
    } catch (thrown) {
      metrics.add('journal_rejected_lost_total');
      log.error({ err: thrown, reason }, 'a rejected entry cannot be kept; it is lost');
      return false;
    }
    this.#size += bytes.byteLength;
    metrics.add('journal_rejected_total');
    metrics.set('journal_rejected_bytes', this.#size);
    log.error(
      { file: name, reason: noted },
      'the database refuses a journal entry; it is kept with the rejected entries',
    );
    return true;
  }

  #measure(): void {
    const entries = listRejected(this.options.spillDir);
    this.#size = entries.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#measured = performance.now();
    this.options.metrics.set('journal_rejected_bytes', this.#size);
  }
}

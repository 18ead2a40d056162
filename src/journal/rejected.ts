import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fixedLimits } from '../config/limits/index.js';
import type { Logger } from '../log/index.js';
import type { MetricsRow } from '../metrics/index.js';
import { decodeSpillEntry, encodeSpillEntry, type SpillEntry } from '../wire/spill/index.js';
import { makeDurableFolder, syncFolder, writeDurableFile } from './durable-files.js';

/** An entry that the database refused permanently, kept as a file. */
export interface RejectedEntry {
  /** The name of its file without the ending. */
  readonly id: string;
  readonly at: Date;
  /** SQLSTATE, or `unreadable` for bytes that are not an entry; `unknown` where the file name gives no reason. */
  readonly reason: string;
  readonly bytes: number;
}

const namePattern = /^(\d{10,16})-[0-9a-f]+(?:-([0-9A-Z]{5}|unreadable|unknown))?\.entry$/;
const folderOf = (spillDir: string): string => join(spillDir, 'rejected');

/** The rejected entries below a spill folder, oldest first. Other files are left out. */
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

/** The content of a rejected entry; undefined when its bytes cannot be decoded. */
export const readRejected = (spillDir: string, { id }: RejectedEntry): SpillEntry | undefined => {
  const bytes = readFileSync(join(folderOf(spillDir), `${id}.entry`));
  try {
    return decodeSpillEntry(bytes);
  } catch {
    return undefined;
  }
};

/** Removes an entry that is in the database now. */
export const removeRejected = (spillDir: string, { id }: RejectedEntry): void => {
  rmSync(join(folderOf(spillDir), `${id}.entry`), { force: true });
  syncFolder(folderOf(spillDir));
};

/**
 * Removes the entries of deleted accounts. An entry belongs to one conversation; one that cannot be read belongs to none that is
 * known, and stays.
 * @param isDeleted whether the account of this uid is deleted.
 * @returns how many were removed.
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

/** Ms after which the size of the folder is measured again: other shards write into it, too. */
const sizeLifetime = 5000;

export interface RejectedOptions {
  readonly spillDir: string;
  readonly log: Logger;
  readonly metrics: MetricsRow;
  /** Bytes; `fixedLimits.rejectedEntries` when absent. */
  readonly limit?: number;
}

/**
 * The folder in which a journal keeps entries that the database refuses permanently, so that they neither delay other
 * entries nor are lost. Its size is bounded; half of the bound is reserved for entries that a client was already told
 * are safe (they come from a spill).
 */
export class RejectedFolder {
  readonly #options: RejectedOptions;
  #size = 0;
  #measured = Number.NEGATIVE_INFINITY;

  constructor(options: RejectedOptions) {
    this.#options = options;
    this.#measure();
  }

  /**
   * Keeps an entry.
   * @param reason SQLSTATE, or `unreadable`.
   * @param acknowledged whether a client was told that it is safe.
   * @returns false when the folder is full or cannot be written: the entry is lost, and counted.
   */
  async add(entry: SpillEntry | Uint8Array, reason: string, acknowledged: boolean): Promise<boolean> {
    const { spillDir, log, metrics } = this.#options;
    const bytes = entry instanceof Uint8Array ? entry : encodeSpillEntry(entry);
    const limit = this.#options.limit ?? fixedLimits.rejectedEntries.value;
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
      'the database refuses a journal entry; it is kept among the rejected',
    );
    return true;
  }

  #measure(): void {
    const entries = listRejected(this.#options.spillDir);
    this.#size = entries.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#measured = performance.now();
    this.#options.metrics.set('journal_rejected_bytes', this.#size);
  }
}

import { codeOf, type Sql, treatmentOf } from '../store/client/index.js';
import { commitFencedChange, endedHolder, withoutSentAgain } from '../store/live/index.js';
import type { SpillEntry } from '../wire/spill/index.js';
import { type RejectedEntry, readRejected, removeRejected } from './rejected.js';
import { applyEntry } from './replay.js';

/**
 * `imported`: the entry is in the database and its file was removed. `refused` and `unreadable`: the file still
 * exists.
 */
export interface ImportOutcome {
  readonly id: string;
  readonly outcome: 'imported' | 'refused' | 'unreadable';
  /** SQLSTATE with which the database refused the entry; null if `outcome` is not `refused`. */
  readonly reason: string | null;
}

/**
 * Tries to store rejected entries again, one after the other. If a conversation already has a summary, a late segment
 * starts its processing again. A second run changes nothing.
 * @param spillDir the spill folder that contains the entries.
 * @throws the database's error if it is not reachable. Entries that were already imported stay in the database.
 */
export const importRejected = async (
  sql: Sql,
  spillDir: string,
  entries: readonly RejectedEntry[],
): Promise<ImportOutcome[]> => {
  const outcomes: ImportOutcome[] = [];
  for (const entry of entries) outcomes.push(await importOne(sql, spillDir, entry));
  return outcomes;
};

const importOne = async (sql: Sql, spillDir: string, rejected: RejectedEntry): Promise<ImportOutcome> => {
  const { id } = rejected;
  const entry = readRejected(spillDir, rejected);
  if (entry === undefined) return { id, outcome: 'unreadable', reason: null };
  try {
    await write(sql, entry);
  } catch (thrown) {
    if (treatmentOf(thrown) !== 'reject' && !/^[0-9A-Z]{5}$/.test(codeOf(thrown) ?? '')) throw thrown;
    return { id, outcome: 'refused', reason: codeOf(thrown) ?? null };
  }
  removeRejected(spillDir, rejected);
  return { id, outcome: 'imported', reason: null };
};

const write = async (sql: Sql, entry: SpillEntry): Promise<void> => {
  if (entry.kind !== 'commit') {
    await sql.begin((transaction) => applyEntry(transaction, entry, endedHolder));
    return;
  }
  for (const change of entry.changes)
    await sql.begin(async (transaction) => {
      for (const kept of await withoutSentAgain(transaction, [change]))
        await commitFencedChange(transaction, kept);
    });
};

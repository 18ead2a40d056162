import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from '../log/index.js';
import type { Sql, TransactionSql } from '../store/database.js';
import {
  beginConversation,
  commitChanges,
  commitFencedChange,
  endConversation,
  type Holder,
  releaseLease,
} from '../store/journal.js';
import { encodeSpillEntry, type SpillEntry } from '../wire/spill.js';
import type { Spill, SpilledEntry } from './spill.js';

/** Most entries written in one transaction. */
const largestBatch = 32;

/**
 * How many entries the next transaction of a replay holds. Each transaction is bounded in time and entries differ in
 * size: one that was too large for its time would be too large again, for ever.
 */
export class ReplayPace {
  #entries = largestBatch;

  get entries(): number {
    return this.#entries;
  }

  succeeded(): void {
    this.#entries = Math.min(largestBatch, this.#entries * 2);
  }

  failed(): void {
    this.#entries = Math.max(1, this.#entries >> 1);
  }
}

/**
 * Whether the database refuses this very entry, however often it is sent: a value it cannot hold (class 22) or a rule
 * it breaks (class 23). Anything else may pass once the database is well again.
 */
export const isEntryFault = (thrown: unknown): boolean => {
  const code = (thrown as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^2[23][0-9A-Z]{3}$/.test(code);
};

/** Writes one entry. May be repeated: the second time changes nothing. */
const apply = async (sql: TransactionSql, entry: SpillEntry, holder: Holder): Promise<void> => {
  switch (entry.kind) {
    case 'begin':
      return beginConversation(sql, entry.conversation, holder);
    case 'commit': {
      const owned = await commitChanges(sql, entry.changes, holder);
      for (const change of entry.changes) {
        if (!owned.has(`${change.conversation.id}:${change.epoch}`))
          await commitFencedChange(sql, change, holder);
      }
      return;
    }
    case 'finish':
      await endConversation(sql, entry.id, entry.epoch, entry.finishedAt);
      return;
    case 'release':
      return releaseLease(sql, entry.id, entry.epoch);
  }
};

export interface ReplayContext {
  readonly sql: Sql;
  readonly holder: Holder;
  readonly log: Logger;
  readonly pace: ReplayPace;
  /** Runs a piece of work with the database, bounded in time. */
  readonly bounded: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/**
 * Moves the oldest entries of a spill to the database, in order. An entry leaves the spill only after its transaction
 * was committed; a crash between the two repeats it.
 * @returns how many left the spill; 0 when it is empty.
 */
export const replayBatch = async (spill: Spill, context: ReplayContext): Promise<number> => {
  const { pace } = context;
  const batch = spill.peek(pace.entries);
  if (batch.length === 0) return 0;
  try {
    await write(batch, context);
  } catch (thrown) {
    if (!isEntryFault(thrown)) {
      pace.failed();
      throw thrown;
    }
    for (const one of batch) await writeOrSetAside(one, spill, context);
  }
  pace.succeeded();
  spill.remove(batch);
  return batch.length;
};

const write = async (
  batch: readonly SpilledEntry[],
  { sql, holder, bounded }: ReplayContext,
): Promise<void> => {
  if (batch.some(({ entry }) => entry === undefined))
    throw Object.assign(new Error('unreadable'), { code: '22000' });
  await bounded(() =>
    sql.begin(async (transaction) => {
      for (const { entry } of batch) await apply(transaction, entry!, holder);
    }),
  );
};

const writeOrSetAside = async (one: SpilledEntry, spill: Spill, context: ReplayContext): Promise<void> => {
  try {
    await write([one], context);
  } catch (thrown) {
    if (!isEntryFault(thrown)) throw thrown;
    await setAside(dirname(spill.path), one.bytes, thrown, context.log);
  }
};

/** Keeps an entry that the database refuses for good, as a file, so that it neither blocks the others nor is lost. */
export const setAside = async (
  folder: string,
  entry: SpillEntry | Uint8Array,
  why: unknown,
  log: Logger,
): Promise<void> => {
  const rejected = join(folder, 'rejected');
  await mkdir(rejected, { recursive: true, mode: 0o700 });
  const name = `${Date.now()}-${process.hrtime.bigint()}.entry`;
  const bytes = entry instanceof Uint8Array ? entry : encodeSpillEntry(entry);
  await writeFile(join(rejected, name), bytes, { flush: true, mode: 0o600 });
  log.error({ file: name, err: why }, 'the database refuses a journal entry; it is kept among the rejected');
};

import {
  codeOf,
  isDatabaseAway,
  isTimeout,
  type Sql,
  type TransactionSql,
  treatmentOf,
} from '../store/client/index.js';
import {
  beginConversation,
  commitChanges,
  commitFencedChange,
  endConversation,
  endedHolder,
  type Holder,
  lockReplayed,
  noteReplayed,
  releaseLease,
  takeBackReplayed,
  withoutSentAgain,
} from '../store/live/index.js';
import { type EntryNumber, leaseKey, rangeOf, type SpillEntry } from '../wire/spill/index.js';
import type { RejectedFolder } from './rejected.js';
import type { EntryQueue, SpilledEntry } from './spill.js';

/** Maximum number of entries that are written in one transaction. */
const largestBatch = 32;
/**
 * Number of times that a single entry may fail for an unknown reason. After this number, the replay tries other entries
 * to find out whether the single entry is the cause.
 */
const unknownFailures = 3;

/**
 * Chooses the number of entries in the next transaction of a replay. Each transaction has a timeout, and entries differ
 * in size. A batch that has timed out would time out again, so each failure halves the number.
 */
export class ReplayPace {
  #entries = largestBatch;
  #failedAlone = 0;

  get entries(): number {
    return this.#entries;
  }

  /**
   * Whether the oldest entry has failed so often in a transaction of its own that the entry itself may be the cause.
   */
  get suspectsOldest(): boolean {
    return this.#failedAlone >= unknownFailures;
  }

  succeeded(): void {
    this.#entries = Math.min(largestBatch, this.#entries * 2);
    this.#failedAlone = 0;
  }

  failed(): void {
    if (this.#entries === 1) this.#failedAlone++;
    this.#entries = Math.max(1, this.#entries >> 1);
  }
}

/**
 * Writes one entry to the database. Writing it a second time changes nothing. Words whose audio the device has sent again
 * on a newer stream are left out.
 */
export const applyEntry = async (sql: TransactionSql, entry: SpillEntry, holder: Holder): Promise<void> => {
  switch (entry.kind) {
    case 'begin':
      await beginConversation(sql, entry.conversation, holder);
      return;
    case 'commit': {
      const changes = await withoutSentAgain(sql, entry.changes);
      if (changes.length === 0) return;
      const owned = await commitChanges(sql, changes, holder);
      for (const change of changes) {
        if (!owned.has(leaseKey(change.conversation.id, change.epoch))) await commitFencedChange(sql, change);
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
  readonly rejected: RejectedFolder;
  readonly pace: ReplayPace;
  /** Runs database work with a timeout. */
  readonly bounded: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Runs at the start of each transaction. If it throws, nothing is written. */
  readonly before?: (transaction: TransactionSql) => Promise<void>;
}

/** An entry, or a part of it that can be written independently. */
interface Piece {
  readonly entry: SpillEntry;
  /** Number of the entry, or of the piece. If the database has recorded this number, the piece is not written. */
  readonly number: EntryNumber | undefined;
}

/**
 * Moves the oldest entries of a spill to the database, in order. An entry is removed from the spill only after its
 * transaction was committed. The transaction also notes the number of the entry, so that the entry is not written
 * twice. After a crash, an entry without a number may be written again, which changes nothing. Changes that the
 * database refuses permanently are moved to the folder of rejected entries. Only the refused conversations of an entry
 * are moved there, so the changes of other conversations are stored. An entry that only a newer program can read stays
 * in the spill, and so do all entries after it.
 * @returns the number of entries removed from the spill; 0 if the spill is empty, or if only a newer program can read
 *   its first entry.
 * @throws the database's error, unless an entry is known to be the cause.
 */
export const replayBatch = async (spill: EntryQueue, context: ReplayContext): Promise<number> => {
  const { pace } = context;
  const waiting = spill.peek(pace.entries);
  const newer = waiting.findIndex(({ isNewer }) => isNewer);
  const batch = newer === -1 ? waiting : waiting.slice(0, newer);
  if (batch.length === 0) return 0;
  const readable = batch.flatMap(({ entry, number }) => (entry === undefined ? [] : [{ entry, number }]));
  try {
    await write(readable, context, true);
  } catch (thrown) {
    if (!(await mayBeTakenApart(thrown, spill, batch, context))) {
      pace.failed();
      throw thrown;
    }
    await writeApart(
      readable.flatMap(piecesOf),
      context,
      (failure) => isEntryFault(failure) || pace.suspectsOldest,
    );
    await note(readable, context);
  }
  for (const { entry, bytes } of batch) {
    if (entry === undefined) await context.rejected.add(bytes, 'unreadable', true);
  }
  pace.succeeded();
  spill.remove(batch);
  return batch.length;
};

const isEntryFault = (thrown: unknown): boolean => treatmentOf(thrown) === 'reject';

const mayBeTakenApart = async (
  thrown: unknown,
  spill: EntryQueue,
  batch: readonly SpilledEntry[],
  context: ReplayContext,
): Promise<boolean> => {
  if (isEntryFault(thrown)) return true;
  if (batch.length > 1) return false;
  // A commit entry contains the changes of all conversations of a shard within a tick. If an entry with several changes
  // timed out, its changes are written separately.
  if (isTimeout(thrown)) return batch[0]!.entry?.kind === 'commit' && batch[0]!.entry.changes.length > 1;
  return !isDatabaseAway(thrown) && context.pace.suspectsOldest && othersPass(spill, context);
};

/**
 * Checks whether the database accepts any entry after the oldest, by writing the next entries until one succeeds.
 * Entries may be written in any order, because revisions and epochs make the result independent of the order.
 */
const othersPass = async (spill: EntryQueue, context: ReplayContext): Promise<boolean> => {
  for (const { entry, number } of spill.peek(largestBatch).slice(1)) {
    if (entry === undefined) continue;
    try {
      await write([{ entry, number }], context, true);
      return true;
    } catch (thrown) {
      if (isDatabaseAway(thrown)) throw thrown;
    }
  }
  return false;
};

/** Splits an entry into parts that can be written independently: one part for each change of a commit entry. */
const piecesOf = ({ entry, number }: Piece): Piece[] =>
  entry.kind === 'commit'
    ? entry.changes.map((change) => ({ entry: { kind: 'commit', changes: [change] }, number }))
    : [{ entry, number }];

/**
 * Writes pieces, except those that the database already has.
 * @param whole whether the pieces are whole entries. If so, the numbers of the entries are noted.
 */
const write = async (pieces: readonly Piece[], context: ReplayContext, whole: boolean): Promise<void> => {
  const { sql, holder, bounded, before } = context;
  await bounded(() =>
    sql.begin(async (transaction) => {
      await before?.(transaction);
      const replayed = await lockPieces(transaction, pieces);
      for (const piece of pieces) {
        if (!replayed.has(piece)) await applyEntry(transaction, piece.entry, holder);
      }
      // If the database already has some of the pieces, another process has written them, because the lease of this
      // journal had expired.
      if (replayed.size > 0 && holder !== null && holder !== endedHolder)
        await takeBackReplayed(transaction, [...replayed].flatMap(leasesOf), holder);
      if (whole) await noteAll(transaction, pieces);
    }),
  );
};

/** Notes the numbers of entries that were written in parts. */
const note = (pieces: readonly Piece[], { sql, bounded, before }: ReplayContext): Promise<void> =>
  bounded(() =>
    sql.begin(async (transaction) => {
      await before?.(transaction);
      await lockPieces(transaction, pieces);
      await noteAll(transaction, pieces);
    }),
  ) as Promise<void>;

type NumberedPiece = Piece & { readonly number: EntryNumber };
const isNumbered = (piece: Piece): piece is NumberedPiece => piece.number !== undefined;

/** Groups pieces with numbers by the journal of their entries. */
const byJournal = (pieces: readonly Piece[]): ReadonlyMap<string, readonly NumberedPiece[]> => {
  const groups = new Map<string, NumberedPiece[]>();
  for (const piece of pieces) {
    if (!isNumbered(piece)) continue;
    const group = groups.get(piece.number.journal);
    if (group) group.push(piece);
    else groups.set(piece.number.journal, [piece]);
  }
  return groups;
};

/** Locks the numbers of the journals to which the pieces belong. @returns the pieces that the database already has. */
const lockPieces = async (sql: TransactionSql, pieces: readonly Piece[]): Promise<ReadonlySet<Piece>> => {
  const replayed = new Set<Piece>();
  for (const [journal, own] of byJournal(pieces)) {
    const known = await lockReplayed(
      sql,
      journal,
      own.map(({ number }) => rangeOf(number)),
    );
    for (const [index, piece] of own.entries()) if (known[index]) replayed.add(piece);
  }
  return replayed;
};

const noteAll = async (sql: TransactionSql, pieces: readonly Piece[]): Promise<void> => {
  for (const [journal, own] of byJournal(pieces))
    await noteReplayed(
      sql,
      journal,
      own.map(({ number }) => rangeOf(number)),
    );
};

/** Returns the leases of conversations that a piece begins or changes. */
const leasesOf = ({ entry }: Piece): { id: string; epoch: number }[] => {
  if (entry.kind === 'begin') return [{ id: entry.conversation.id, epoch: 1 }];
  if (entry.kind !== 'commit') return [];
  return entry.changes.map(({ conversation, epoch }) => ({ id: conversation.id, epoch }));
};

/**
 * Writes all parts that the database accepts. Bisects the parts to find the refused ones, and moves these to the folder
 * of rejected entries.
 */
const writeApart = async (
  pieces: readonly Piece[],
  context: ReplayContext,
  atFault: (thrown: unknown) => boolean,
): Promise<void> => {
  if (pieces.length === 0) return;
  try {
    await write(pieces, context, false);
  } catch (thrown) {
    if (isDatabaseAway(thrown) && !isTimeout(thrown)) throw thrown;
    if (pieces.length > 1) {
      const half = pieces.length >> 1;
      await writeApart(pieces.slice(0, half), context, atFault);
      await writeApart(pieces.slice(half), context, atFault);
      return;
    }
    if (isDatabaseAway(thrown) || !atFault(thrown)) throw thrown;
    await context.rejected.add(pieces[0]!.entry, codeOf(thrown) ?? 'unknown', true);
  }
};

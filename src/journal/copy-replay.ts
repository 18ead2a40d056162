import type { Logger } from '../log/index.js';
import type { MetricsRow } from '../metrics/index.js';
import { confirmDeletions, seePlace, unconfirmedDeletions } from '../store/accounts/index.js';
import type { Sql, TransactionSql } from '../store/client/index.js';
import { endedHolder, hasEngineLease, lockEndedEngine } from '../store/live/index.js';
import { createOpener, holderOfJournal, type OpenedCopy } from './copies/index.js';
import { RejectedFolder } from './rejected.js';
import { ReplayPace, replayBatch } from './replay.js';
import { type EntryQueue, type SpilledEntry, spilledEntry } from './spill.js';

/**
 * Name of the fleet's stream of spilled entries in the list of places that may have data of deleted accounts
 * (`seePlace`).
 */
const place = 'stream cochlea_spill';
/** Maximum number of copies that are read from the stream before they are written to the database. */
const readAtOnce = 32;
/**
 * Maximum number of journals whose state this process keeps: the pace of their replay, warnings, and places in the
 * stream.
 */
const mostJournals = 1000;
/**
 * Maximum number of copies of one journal that one call of `look` reads. The next call continues after these copies. So
 * an engine with very many copies does not delay the copies of other engines.
 */
const copiesInLook = 1024;
/** Ms between two reports to the database that the stream is in use. */
const day = 86_400_000;

/** A journal with copies in the stream, and the subject of these copies. */
interface FoundJournal {
  readonly journal: string;
  readonly subject: string;
}

/** Operations of the replay on the fleet's stream of spilled entries (NATS JetStream). */
export interface CopySource {
  look(): Promise<{
    readonly journals: readonly FoundJournal[];
    readonly waiting: number;
    readonly isComplete: boolean;
    readonly last: number;
  } | null>;
  oldest(): Promise<ReadCopy | null>;
  next(subject: string, from: number): Promise<ReadCopy | null>;
  last(subject: string): Promise<ReadCopy | null>;
  removeBefore(subject: string, end: number): Promise<void>;
  remove(sequence: number): Promise<void>;
}

interface ReadCopy {
  readonly sequence: number;
  readonly bytes: Uint8Array;
}

/** Counts for metrics. Most of them describe the last call of `look`. */
export interface CopyCounts {
  /** Number of journals with copies in the stream. */
  waiting: number;
  /**
   * Numbers of copies that stayed in the stream. Only a newer program can read a `newer` copy. An `unopened` copy was
   * sealed with a different key.
   */
  newer: number;
  unopened: number;
  /** Number of deletions of accounts that wait until older copies are removed. */
  deletions: number;
  /** Number of copies written to the database since this process started. */
  replayed: number;
}

export interface CopyReplayOptions {
  readonly sql: Sql;
  readonly source: CopySource;
  /** Value of the setting `SPILL_KEY`. */
  readonly secret: string;
  /** Folder of spills of this machine, for entries that the database refuses permanently. */
  readonly spillDir: string;
  readonly log: Logger;
  readonly metrics: MetricsRow;
}

/** Error: the journal's lease is valid, or another process is replaying its spill. */
class NotEnded extends Error {}

/**
 * Writes copies of spilled entries to the database, if the lease of their journal has expired. Copies are removed from
 * the stream after the commit. A journal with a valid lease replays its own spill, and then stores a marker in the
 * stream. The marker names the last copy that is no longer needed. Writing an entry twice changes nothing, even if the
 * journal has also replayed the entry from its spill.
 */
export class CopyReplay {
  readonly counts: CopyCounts = { waiting: 0, newer: 0, unopened: 0, deletions: 0, replayed: 0 };
  readonly #rejected: RejectedFolder;
  readonly #paces = new Map<string, ReplayPace>();
  readonly #warned = new Set<string>();
  /**
   * For each subject with copies that were not read yet: the sequence at which the next call of `look` continues, and
   * whether copies before it must stay.
   */
  readonly #places = new Map<string, { readonly from: number; readonly leaves: boolean }>();
  /**
   * Deletions of accounts to confirm: all up to the number `newest`. They are confirmed when the stream has no copies
   * up to the sequence `last`.
   */
  #deletion: { readonly newest: number; readonly last: number } | undefined;
  #warnedOfDeletion = false;
  #seenAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: CopyReplayOptions) {
    const { spillDir, log, metrics } = options;
    this.#rejected = new RejectedFolder({ spillDir, log, metrics });
  }

  /**
   * Reads the stream once, and writes copies of ended journals to the database.
   * @param signal ends the call after the current request.
   * @returns whether copies were written and the same journal has more copies, so that the caller should call again at
   *   once.
   * @throws the error of the database or the bus if one of them is away.
   */
  async look(signal?: AbortSignal): Promise<boolean> {
    const { sql, source, log } = this.options;
    const deletions = await unconfirmedDeletions(sql, place);
    const found = await source.look();
    if (found === null) return false;
    this.#forget(found);
    const waiting = { waiting: found.waiting, deletions: deletions.hashes.length };
    Object.assign(this.counts, { ...waiting, newer: 0, unopened: 0 });
    let isUrgent = false;
    for (const { journal, subject } of found.journals) {
      if (signal?.aborted) return false;
      try {
        isUrgent = (await this.#replay(journal, subject, signal)) || isUrgent;
      } catch (thrown) {
        if (!(thrown instanceof NotEnded))
          log.warn({ err: thrown, journal }, 'copies cannot be replayed yet');
      }
    }
    if (deletions.hashes.length > 0) this.#deletion ??= { newest: deletions.newest, last: found.last };
    if (!signal?.aborted) await this.#confirmDeletion();
    return isUrgent;
  }

  /**
   * Replays the copies of one journal.
   * @returns whether copies were written, and others are left for the next call of `look`.
   */
  async #replay(journal: string, subject: string, signal?: AbortSignal): Promise<boolean> {
    const { sql, source, secret } = this.options;
    const open = createOpener(secret, journal);
    const last = await source.last(subject);
    if (last === null) return false;
    const marker = open(last.bytes);
    if (marker.kind === 'marker') {
      await source.removeBefore(subject, Math.min(marker.covers, last.sequence) + 1);
      // If the marker arrived late, copies that it does not cover may be before it.
      const first = await source.next(subject, 0);
      if (first === null || first.sequence === last.sequence) {
        await source.removeBefore(subject, last.sequence + 1);
        return false;
      }
    }
    if (await hasEngineLease(sql, holderOfJournal(journal))) return false;
    const { replayed } = this.counts;
    // `leaves`: whether earlier copies of the journal must stay in the stream. If so, written copies are removed one by
    // one.
    let { from, leaves } = this.#places.get(subject) ?? { from: 0, leaves: false };
    this.#places.delete(subject);
    for (let read = 0; ; read += readAtOnce) {
      if (read >= copiesInLook || signal?.aborted) {
        this.#places.set(subject, { from, leaves });
        return this.counts.replayed > replayed;
      }
      const batch = await this.#read(subject, from, open, holderOfJournal(journal));
      this.counts.unopened += batch.unopened;
      if (batch.unopened > 0) this.#warn(journal, 'copies of a spill were sealed with another SPILL_KEY');
      leaves ||= batch.unopened > 0;
      await this.#write(journal, subject, batch.entries, leaves);
      if (batch.isNewer) {
        this.counts.newer++;
        this.#warn(journal, 'only a newer program can read a copy of a spill; it stays for it');
        return false;
      }
      if (batch.end === undefined) return false;
      from = batch.end;
    }
  }

  /** Reads the next copies of a journal. `end` is where the next read begins; undefined after the last copy. */
  async #read(subject: string, from: number, open: (copy: Uint8Array) => OpenedCopy, holder: string) {
    const entries: SpilledEntry[] = [];
    let unopened = 0;
    let at = from;
    for (let read = 0; read < readAtOnce; read++) {
      const copy = await this.options.source.next(subject, at);
      if (copy === null) return { entries, unopened, isNewer: false, end: undefined };
      at = copy.sequence + 1;
      const opened = open(copy.bytes);
      if (opened.kind === 'newer') return { entries, unopened, isNewer: true, end: undefined };
      if (opened.kind === 'unopened') unopened++;
      else if (opened.kind === 'entry') entries.push(copiedEntry(copy.sequence, opened.bytes, holder));
    }
    return { entries, unopened, isNewer: false, end: at };
  }

  /** Writes entries to the database, and then removes their copies. @throws NotEnded */
  async #write(
    journal: string,
    subject: string,
    entries: readonly SpilledEntry[],
    leaves: boolean,
  ): Promise<void> {
    const { sql, source, metrics } = this.options;
    const queue = new ReadEntries(entries);
    const pace = this.#paces.get(journal) ?? new ReplayPace();
    this.#paces.set(journal, pace);
    const before = async (transaction: TransactionSql): Promise<void> => {
      if (!(await lockEndedEngine(transaction, holderOfJournal(journal)))) throw new NotEnded();
    };
    while (queue.length > 0) {
      const waiting = queue.length;
      const replayed = await replayBatch(queue, {
        sql,
        holder: endedHolder,
        rejected: this.#rejected,
        pace,
        bounded: (work) => work(),
        before,
      });
      if (replayed === 0) return;
      this.counts.replayed += replayed;
      metrics.add('journal_replayed_total', replayed);
      const done = entries.slice(entries.length - waiting, entries.length - waiting + replayed);
      if (leaves) for (const { key } of done) await source.remove(key);
      else await source.removeBefore(subject, done.at(-1)!.key + 1);
    }
  }

  /**
   * Confirms deletions of accounts when the stream has no copies from before these deletions. A copy that cannot be
   * opened may contain words of any user, so the confirmation waits until this copy is removed from the stream.
   */
  async #confirmDeletion(): Promise<void> {
    const { sql, source, log } = this.options;
    if (performance.now() - this.#seenAt >= day) {
      await seePlace(sql, place);
      this.#seenAt = performance.now();
    }
    if (this.#deletion === undefined) return;
    const { newest, last } = this.#deletion;
    const oldest = await source.oldest();
    if (oldest !== null && oldest.sequence <= last) {
      if (this.counts.unopened > 0 && !this.#warnedOfDeletion)
        log.error('a deletion of an account waits for copies of spilled words that cannot be opened');
      this.#warnedOfDeletion ||= this.counts.unopened > 0;
      return;
    }
    await confirmDeletions(sql, place, newest);
    this.counts.deletions = 0;
    this.#deletion = undefined;
    this.#warnedOfDeletion = false;
    log.info('the stream of spilled entries contains no data of deleted accounts');
  }

  #warn(journal: string, text: string): void {
    const warning = `${journal} ${text}`;
    if (this.#warned.has(warning) || this.#warned.size >= mostJournals) return;
    this.#warned.add(warning);
    this.options.log.error({ journal }, text);
  }

  /**
   * Forgets the state of journals without copies. If the list of journals is incomplete, forgets only the oldest state,
   * until `mostJournals` journals remain.
   */
  #forget({ journals, isComplete }: { journals: readonly FoundJournal[]; isComplete: boolean }): void {
    const kept = isComplete ? 0 : mostJournals;
    const names = new Set(journals.map(({ journal }) => journal));
    const subjects = new Set(journals.map(({ subject }) => subject));
    forget(this.#paces, kept, (journal) => names.has(journal));
    forget(this.#places, kept, (subject) => subjects.has(subject));
    forget(this.#warned, kept, (warning) => names.has(warning.slice(0, warning.indexOf(' '))));
  }
}

/** Removes the oldest keys that are not needed, until at most `kept` keys remain. */
const forget = (
  remembered: { readonly size: number; keys(): Iterable<string>; delete(key: string): boolean },
  kept: number,
  isNeeded: (key: string) => boolean,
): void => {
  for (const key of remembered.keys()) {
    if (remembered.size <= kept) return;
    if (!isNeeded(key)) remembered.delete(key);
  }
};

/**
 * Decodes a copy. The result names the journal under which the copy was authenticated, even if the entry names a
 * different journal.
 */
const copiedEntry = (sequence: number, bytes: Uint8Array, journal: string): SpilledEntry => {
  const { number, ...entry } = spilledEntry(sequence, bytes);
  return { ...entry, number: number && { ...number, journal } };
};

/** A queue of entries that were read from the stream. */
class ReadEntries implements EntryQueue {
  #entries: readonly SpilledEntry[];

  constructor(entries: readonly SpilledEntry[]) {
    this.#entries = entries;
  }

  get length(): number {
    return this.#entries.length;
  }

  peek(limit: number): readonly SpilledEntry[] {
    return this.#entries.slice(0, limit);
  }

  remove(entries: readonly SpilledEntry[]): void {
    this.#entries = this.#entries.slice(entries.length);
  }
}

import { basename } from 'node:path';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import pTimeout from 'p-timeout';
import { within } from '../common/index.js';
import { CochleaError, reasonOf } from '../errors/index.js';
import { isDatabaseAway, type Sql, treatmentOf } from '../store/client/index.js';
import { endedHolder, type Holder } from '../store/live/index.js';
import type { SpillEntry, SpilledChange } from '../wire/spill/index.js';
import { Acknowledger } from './copies/index.js';
import type { EngineLease } from './engine-lease.js';
import { JournalDatabase, NoAnswer } from './journal-database.js';
import type { JournalOptions } from './options.js';
import { RejectedFolder } from './rejected.js';
import { ReplayPace, replayBatch } from './replay.js';
import { Spill } from './spill.js';
import { SpillFolders } from './spill-folders.js';
import { SpillShares } from './spill-shares.js';

/**
 * When the spill has at most this number of entries, new writes wait until it is empty. Otherwise the spill might never
 * become empty, because every tick adds entries.
 */
const lastEntries = 8;

/** First and longest pause, in ms, between two attempts to reach a database that does not respond. */
const pauses = { first: 100, longest: 2000 } as const;

/** An entry with a change other than words. */
type OtherEntry = Exclude<SpillEntry, { readonly kind: 'commit' }>;

/** Result of writing words: they are in the database or in the spill. */
export interface WrittenWords<Result> {
  /** Result of the write to the database; undefined if the words went to the spill. */
  readonly result?: Result | undefined;
  /**
   * The changes that were written to the spill. Changes of users who have used their share of the spill
   * (`SPILL_USER_SIZE`) are missing.
   */
  readonly spilled?: ReadonlySet<SpilledChange> | undefined;
}

/** Runs statements on the database with a timeout, and repeats them after a deadlock. */
export type Run = <Result>(work: (sql: Sql) => Promise<Result>) => Promise<Result>;

/**
 * Sends the writes of one journal to the database if it responds, otherwise to the spill.
 *
 * Writes run one after the other in the order of the calls. If the database does not accept a write in time, this write
 * and all later writes go to the spill, until `#recover` has replayed the spill. The return to the database runs in the
 * same queue as the writes, so a write never overtakes a spilled write. A write with an unknown outcome also goes to
 * the spill, because writing it twice does no harm. If the database refuses the content of a statement, nothing is
 * spilled and the caller gets the error.
 */
export class WritePath {
  /** Stores entries that the database refuses permanently. */
  readonly rejected: RejectedFolder;
  readonly #database: JournalDatabase;
  readonly #folders: SpillFolders;
  readonly #closing = new AbortController();
  #queue: Promise<unknown> = Promise.resolve();
  #spilling = false;
  /** Time of `performance.now()` at which the journal began to write to the spill. */
  #lostAt = 0;
  #spill: Spill | undefined;
  /** Number of entries in earlier spills of this journal. */
  #spilledBefore = 0;
  #leftovers: string[] = [];
  #recovery: Promise<void> | undefined;
  readonly #pace = new ReplayPace();
  readonly #shares: SpillShares;
  /** Decides when words may be acknowledged, and copies the spill to the fleet's stream of spilled entries. */
  readonly acknowledger: Acknowledger;

  constructor(
    private readonly options: JournalOptions,
    private readonly lease: EngineLease,
    connections: number,
  ) {
    this.#folders = new SpillFolders(options.spillDir, options.engineId, options.shard, options.surrenders);
    this.#database = new JournalDatabase(options, connections);
    const { spillDir, log, metrics } = options;
    this.#shares = new SpillShares(options.spillUserSize ?? Number.POSITIVE_INFINITY);
    this.rejected = new RejectedFolder({ spillDir, log, metrics, limit: options.rejectedSize });
    this.acknowledger = new Acknowledger({ holder: lease.holder, copies: options.copies, log, metrics });
  }

  /**
   * Takes over the spills of earlier runs and starts to replay them. Resolves when they are replayed, or after the
   * timeout of a statement. After this timeout, the replay continues in the background.
   */
  async start(): Promise<void> {
    this.#leftovers = await this.#folders.claim();
    if (this.#leftovers.length === 0) return;
    this.options.log.info({ spills: this.#leftovers.length }, 'replaying the spill of an earlier run');
    await this.#database.bounded(this.#startRecovery()).catch(() => {});
  }

  /**
   * Makes a change durable, in the order of the calls.
   * @param direct writes the change to the database.
   * @param entry the same change for the spill.
   * @returns the result of `direct`; undefined if the change went to the spill.
   * @throws CochleaError journal_spill_failed; StatementError if the database refuses the content of the statement.
   */
  async write<Result>(direct: (run: Run) => Promise<Result>, entry: OtherEntry): Promise<Result | undefined> {
    const { result } = await this.#write(direct, () => this.#append(entry));
    return result;
  }

  /**
   * Makes words durable, in the order of the calls of `write` and `writeWords`.
   * @throws CochleaError journal_spill_failed, durability_unmet; StatementError if the database refuses the content of the statement.
   */
  async writeWords<Result>(
    direct: (run: Run) => Promise<Result>,
    changes: readonly SpilledChange[],
  ): Promise<WrittenWords<Result>> {
    const { result, appended } = await this.#write(direct, () => this.#appendWords(changes));
    return { result, spilled: appended };
  }

  async #write<Result, Appended>(
    direct: (run: Run) => Promise<Result>,
    append: () => Promise<Appended>,
  ): Promise<{ readonly result?: Result; readonly appended?: Appended }> {
    const { result, durable } = await this.#serially(async () => {
      const result = await this.#direct(direct);
      if (result !== undefined) return { result };
      // The entry is appended at once, so that entries have the order of the calls. The next write does not wait until
      // the entry is on the disk, so many writes share one commit of LMDB.
      const durable = append();
      durable.catch(() => {});
      return { durable };
    });
    return durable === undefined ? { result } : { appended: await durable };
  }

  /**
   * Runs statements on the database without waiting for earlier writes. If the database does not respond, resolves with
   * undefined, and the journal begins to write to the spill.
   * @throws StatementError if the database refuses the content of a statement.
   */
  ask<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result | undefined> {
    return this.#direct((run) => run(work));
  }

  async #direct<Result>(work: (run: Run) => Promise<Result>): Promise<Result | undefined> {
    if (this.#spilling) return undefined;
    try {
      return await work((statement) => this.#database.run(statement));
    } catch (thrown) {
      if (treatmentOf(thrown) === 'reject') throw thrown;
      this.#databaseLost(thrown);
      return undefined;
    }
  }

  /** Reads optional data from the database. Resolves with null if the database does not respond. */
  async read<Result>(work: (sql: Sql) => Promise<Result | null>): Promise<Result | null> {
    if (this.#spilling || this.#closing.signal.aborted) return null;
    return this.#database.bounded(work(this.#database.sql)).catch((thrown: unknown) => {
      this.options.log.debug({ err: thrown }, 'journal read failed');
      return null;
    });
  }

  /** Number of ms since the journal began to write to the spill; 0 while it writes to the database. */
  get away(): number {
    return this.#spilling ? performance.now() - this.#lostAt : 0;
  }

  /**
   * Waits until the journal writes to the database again, at most `timeout` ms. If the journal writes to the database
   * already, waits only for a moment, because the caller's last read may have failed.
   * @returns whether the database may be read now.
   */
  async returns(timeout: number): Promise<boolean> {
    const { signal } = this.#closing;
    const deadline = performance.now() + timeout;
    if (!this.#spilling) await pause(Math.min(timeout, pauses.first));
    // A closing journal has no recovery, so this loop ends.
    for (
      let left = timeout;
      this.#spilling && !signal.aborted && left > 0;
      left = deadline - performance.now()
    )
      await within(this.#recovery ?? Promise.resolve(), left, () => undefined);
    return !this.#spilling && !signal.aborted;
  }

  /**
   * Returns whether the database has all entries that earlier runs spilled, so that stored conversations may be
   * continued. Waits for other shards that still replay such entries, at most for the timeout of a statement.
   */
  async leftoversReplayed(): Promise<boolean> {
    for (const deadline = this.#now() + this.options.databaseTimeout; ; await pause(20)) {
      if (!(await this.#folders.leftoversRemain())) return true;
      if (this.#spilling || this.#closing.signal.aborted || this.#now() >= deadline) return false;
    }
  }

  /**
   * Replays the spill for at most `timeout` ms, then closes the spill and the connections. Remaining entries stay
   * on disk for the next run.
   */
  async close(timeout: number): Promise<void> {
    await this.#queue;
    if (this.#recovery !== undefined) {
      // Replaces 0 by 1, because p-timeout does not accept 0.
      await pTimeout(this.#recovery, { milliseconds: timeout || 1, message: false });
    }
    this.#closing.abort();
    await this.#database.close();
    await this.#recovery;
    await this.#queue;
    this.#spill?.flush();
    this.acknowledger.close();
    // Writes that still wait for a copy in the fleet's stream now fail, and remove their words from the spill.
    await turn();
    await this.#spill?.close(this.#spill.depth === 0);
    this.#spill = undefined;
  }

  /** Appends an entry. @returns its key, and the spill that has it. */
  async #append(entry: SpillEntry): Promise<{ readonly key: number; readonly spill: Spill }> {
    this.#spill ??= this.#openSpill();
    const spill = this.#spill;
    const key = await spill.append(entry);
    this.options.metrics.add('journal_spilled_total');
    this.#showDepth();
    this.acknowledger.appended();
    return { key, spill };
  }

  /** Appends words to the spill. @returns the changes of users within their share. */
  async #appendWords(words: readonly SpilledChange[]): Promise<ReadonlySet<SpilledChange>> {
    this.acknowledger.checkWords();
    const changes = this.#shares.take(words);
    if (changes.length === 0) return new Set();
    const { key, spill } = await this.#append({ kind: 'commit', changes }).catch((thrown: unknown) => {
      this.#shares.giveBack(changes);
      throw thrown;
    });
    try {
      await this.acknowledger.spilled(key, changes.length);
    } catch (thrown) {
      // Words whose devices send the audio again must not stay in the spill, because they would be stored twice.
      const kept = changes.filter(({ resends }) => resends !== true);
      if (kept.length < changes.length) spill.replace(key, { kind: 'commit', changes: kept });
      throw thrown;
    }
    return new Set(changes);
  }

  #openSpill(): Spill {
    try {
      const { copies, spillSize } = this.options;
      const numbers = { journal: this.lease.holder, before: this.#spilledBefore };
      const spill = new Spill(this.#folders.create(), spillSize, copies && numbers);
      this.acknowledger.follow(spill);
      return spill;
    } catch (thrown) {
      throw new CochleaError('journal_spill_failed', { why: reasonOf(thrown) }, { cause: thrown });
    }
  }

  #databaseLost(thrown: unknown): void {
    if (this.#spilling) return;
    this.#spilling = true;
    this.#lostAt = performance.now();
    this.options.log.warn({ err: thrown }, 'the database does not accept writes; the journal spills to disk');
    this.#database.replace();
    void this.#startRecovery();
  }

  #startRecovery(): Promise<void> {
    this.#recovery ??= this.#recover().finally(() => {
      this.#recovery = undefined;
      // Starts a new recovery if the database became unavailable between the last write of this recovery and this line.
      if (this.#spilling && !this.#closing.signal.aborted) void this.#startRecovery();
    });
    return this.#recovery;
  }

  /**
   * Waits for the database, then replays the spills of earlier runs and this journal's spill. Resolves when writes
   * go to the database again.
   */
  async #recover(): Promise<void> {
    const since = this.#now();
    for (
      let wait: number = pauses.first;
      !this.#closing.signal.aborted;
      wait = Math.min(pauses.longest, wait * 2)
    ) {
      try {
        // `then` turns the query into a plain promise. Otherwise p-timeout would cancel the query after the timeout,
        // and postgres.js opens a further connection for a cancellation.
        await this.#database.bounded(this.#database.sql`select 1`.then());
        // The lease may have expired during the outage. It is renewed first, so that `sweepOrphans` does not end the
        // conversations of this journal.
        await this.#database.bounded(this.lease.renew(this.#database.sql));
        await this.#replayLeftovers();
        while (this.#spill !== undefined && this.#spill.depth > lastEntries) await this.#replay(this.#spill);
        await this.#serially(() => this.#returnToDatabase());
        this.options.log.info(
          { milliseconds: this.#now() - since },
          'the journal has replayed its spill and writes to the database again',
        );
        return;
      } catch (thrown) {
        // The outage of the database is already logged. An error of a database that responds is not logged yet, so it
        // is logged as an error here.
        const level = isDatabaseAway(thrown) ? 'debug' : 'error';
        this.options.log[level]({ err: thrown }, 'the journal cannot replay yet');
        if (thrown instanceof NoAnswer) this.#database.replace();
        const jittered = wait * (0.5 + Math.random() / 2);
        await pause(jittered, undefined, { signal: this.#closing.signal }).catch(() => {});
      }
    }
  }

  async #replayLeftovers(): Promise<void> {
    for (let path = this.#leftovers[0]; path !== undefined; path = this.#leftovers[0]) {
      const spill = await this.#openLeftover(path);
      if (spill === undefined) {
        this.#leftovers.shift();
        continue;
      }
      try {
        // The streams of this spill have ended, so no journal holds its conversations. A new stream can take them over,
        // or `sweepOrphans` ends them.
        while ((await this.#replay(spill, endedHolder)) > 0);
      } finally {
        await spill.close(spill.depth === 0);
      }
      if (spill.depth > 0) await this.#leaveToNewer(path);
      this.#leftovers.shift();
    }
  }

  async #leaveToNewer(path: string): Promise<void> {
    this.options.metrics.add('journal_newer_total');
    this.options.log.error(
      { folder: basename(path) },
      'only a newer program can read an entry of a spill; the spill stays on the disk for it',
    );
    await this.#folders.hold(path);
  }

  /**
   * Opens a spill of an earlier run. A damaged spill is renamed, so that it does not block other spills.
   * @returns undefined for a damaged spill.
   */
  async #openLeftover(path: string): Promise<Spill | undefined> {
    try {
      return new Spill(path, Number.POSITIVE_INFINITY);
    } catch (thrown) {
      this.options.log.error(
        { folder: basename(path), err: thrown },
        'a spill cannot be opened; it is set aside',
      );
      await this.#folders.setAside(path);
      return undefined;
    }
  }

  /**
   * Replays the last entries of the spill. Later writes go to the database again. Runs in the queue of writes, so that
   * no entry is added to the spill meanwhile.
   */
  async #returnToDatabase(): Promise<void> {
    const spill = this.#spill;
    if (spill !== undefined) {
      spill.flush();
      while ((await this.#replay(spill)) > 0);
      this.#spilledBefore += spill.last;
      this.#spill = undefined;
    }
    this.#shares.clear();
    this.acknowledger.replayed();
    await spill?.close(true);
    this.#spilling = false;
    this.#showDepth();
  }

  async #replay(spill: Spill, holder: Holder = this.lease.holder): Promise<number> {
    const replayed = await replayBatch(spill, {
      sql: this.#database.sql,
      holder,
      rejected: this.rejected,
      pace: this.#pace,
      bounded: (work) => this.#database.bounded(work()),
    });
    this.options.metrics.add('journal_replayed_total', replayed);
    this.#showDepth();
    return replayed;
  }

  #showDepth(): void {
    this.options.metrics.set('journal_spill_depth', this.#spill?.depth ?? 0);
  }

  #serially<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => {});
    return result;
  }

  #now(): number {
    return (this.options.clock ?? Date.now)();
  }
}

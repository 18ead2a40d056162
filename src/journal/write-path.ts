import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pTimeout from 'p-timeout';
import { CochleaError, reasonOf } from '../errors/index.js';
import { connectDatabase, type Sql } from '../store/database.js';
import { isDatabaseAway, treatmentOf } from '../store/failure.js';
import type { Holder } from '../store/leases.js';
import { retrying } from '../store/retry.js';
import type { SpillEntry } from '../wire/spill.js';
import type { JournalOptions } from './options.js';
import { RejectedFolder } from './rejected.js';
import { ReplayPace, replayBatch } from './replay.js';
import { Spill } from './spill.js';
import { SpillFolders } from './spill-folders.js';

/** Entries left in the spill at which writers wait for the rest: fewer than a tick adds would never be reached. */
const lastEntries = 8;
/** Ms after which a connection without work is closed: shards without streams hold none. */
const idleConnection = 60_000;
/** Ms between two attempts to reach a database that is away. */
const pauses = { first: 100, longest: 2000 } as const;

class NoAnswer extends Error {
  readonly code = 'NO_ANSWER';

  constructor(milliseconds: number) {
    super(`no answer within ${milliseconds} ms`);
  }
}

/** Runs statements on the database: bounded in time, repeated after a deadlock. */
export type Run = <Result>(work: (sql: Sql) => Promise<Result>) => Promise<Result>;

/**
 * Where the writes of one journal go: to the database while it answers, to the spill while it does not.
 *
 * Writes run one after the other, so their order is the order of the calls. The first one the database does not take
 * in time goes to the spill, and so does everything after it until `#recover` has replayed the spill to its end; that
 * end is decided inside the same queue, so no write can slip past one that still waits in the spill. A statement whose
 * outcome is unknown is spilled too: every statement may be repeated. A statement that the database refuses because of
 * what is in it says nothing about the database: its caller is told, and nothing is spilled.
 */
export class WritePath {
  /** Where entries go that the database refuses for good. */
  readonly rejected: RejectedFolder;
  readonly #options: JournalOptions;
  readonly #holder: Holder;
  readonly #connections: number;
  readonly #folders: SpillFolders;
  readonly #closing = new AbortController();
  #sql: Sql;
  #queue: Promise<unknown> = Promise.resolve();
  #spilling = false;
  #spill: Spill | undefined;
  #leftovers: string[] = [];
  #recovery: Promise<void> | undefined;
  readonly #pace = new ReplayPace();

  constructor(options: JournalOptions, holder: Holder, connections: number) {
    this.#options = options;
    this.#holder = holder;
    this.#connections = connections;
    this.#folders = new SpillFolders(options.spillDir, options.engineId, options.shard, options.surrenders);
    this.#sql = this.#connect();
    const { spillDir, log, metrics } = options;
    this.rejected = new RejectedFolder({ spillDir, log, metrics, limit: options.rejectedSize });
  }

  /** Takes over what earlier runs left and replays it, for as long as a statement may take; the rest follows later. */
  async start(): Promise<void> {
    this.#leftovers = await this.#folders.claim();
    if (this.#leftovers.length === 0) return;
    this.#options.log.info(
      { spills: this.#leftovers.length },
      'replaying what an earlier run left in the spill',
    );
    await this.#withinTimeout(this.#startRecovery()).catch(() => {});
  }

  /**
   * Makes something durable, in the order of the calls.
   * @param direct writes it to the database.
   * @param entry the same for the spill.
   * @returns what `direct` did; undefined when it went to the spill.
   * @throws CochleaError journal_spill_failed; StatementError when the database refuses what is in the statement.
   */
  async write<Result>(direct: (run: Run) => Promise<Result>, entry: SpillEntry): Promise<Result | undefined> {
    const { result, durable } = await this.#serially(async () => {
      const result = await this.#direct(direct);
      if (result !== undefined) return { result };
      // Its place is taken by the call; the next write need not wait for the disk, so that many share one commit.
      const durable = this.#append(entry);
      durable.catch(() => {});
      return { durable };
    });
    await durable;
    return result;
  }

  /**
   * Asks the database out of order. Undefined when it is away: the journal spills from now on.
   * @throws StatementError when the database refuses what is in the statement.
   */
  ask<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result | undefined> {
    return this.#direct((run) => run(work));
  }

  async #direct<Result>(work: (run: Run) => Promise<Result>): Promise<Result | undefined> {
    if (this.#spilling) return undefined;
    try {
      return await work((statement) => this.#run(statement));
    } catch (thrown) {
      if (treatmentOf(thrown) === 'reject') throw thrown;
      this.#databaseLost(thrown);
      return undefined;
    }
  }

  #run<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.#withinTimeout(
      retrying(
        () => work(this.#sql),
        () => this.#repeated(),
      ),
    );
  }

  #repeated(): void {
    this.#options.metrics.add('journal_conflicts_total');
  }

  /** Reads something that may as well be missing: null when the database does not answer. */
  async read<Result>(work: (sql: Sql) => Promise<Result | null>): Promise<Result | null> {
    if (this.#spilling || this.#closing.signal.aborted) return null;
    return this.#withinTimeout(work(this.#sql)).catch((thrown: unknown) => {
      this.#options.log.debug({ err: thrown }, 'journal read failed');
      return null;
    });
  }

  /**
   * Whether what earlier runs spilled is in the database, so that stored conversations may be continued. Waits a
   * while for other shards that still replay.
   */
  async leftoversReplayed(): Promise<boolean> {
    for (const deadline = this.#now() + this.#options.databaseTimeout; ; await pause(20)) {
      if (!(await this.#folders.leftoversRemain())) return true;
      if (this.#spilling || this.#closing.signal.aborted || this.#now() >= deadline) return false;
    }
  }

  /** Replays what the spill holds for at most `timeout` ms, then lets go of everything; the rest stays on disk. */
  async close(timeout: number): Promise<void> {
    await this.#queue;
    if (this.#recovery !== undefined) {
      // p-timeout takes no 0.
      await pTimeout(this.#recovery, { milliseconds: timeout || 1, message: false });
    }
    this.#closing.abort();
    await this.#sql.end({ timeout: 0 });
    await this.#recovery;
    await this.#queue;
    this.#spill?.flush();
    await this.#spill?.close(this.#spill.depth === 0);
    this.#spill = undefined;
  }

  async #append(entry: SpillEntry): Promise<void> {
    this.#spill ??= this.#openSpill();
    await this.#spill.append(entry);
    this.#options.metrics.add('journal_spilled_total');
    this.#showDepth();
  }

  #openSpill(): Spill {
    try {
      return new Spill(this.#folders.create(), this.#options.spillSize);
    } catch (thrown) {
      throw new CochleaError('journal_spill_failed', { why: reasonOf(thrown) }, { cause: thrown });
    }
  }

  #databaseLost(thrown: unknown): void {
    if (this.#spilling) return;
    this.#spilling = true;
    this.#options.log.warn(
      { err: thrown },
      'the database does not take what is written; the journal spills to disk',
    );
    this.#replacePool();
    void this.#startRecovery();
  }

  /** A connection that hangs would hang for the next statement too. */
  #replacePool(): void {
    const old = this.#sql;
    this.#sql = this.#connect();
    void old.end({ timeout: 0 }).catch(() => {});
  }

  #connect(): Sql {
    const { databaseUrl, databaseTimeout, shard } = this.#options;
    return connectDatabase(databaseUrl, {
      max: this.#connections,
      timeoutMs: databaseTimeout,
      statementTimeoutMs: databaseTimeout,
      idleTimeoutMs: idleConnection,
      onRepeat: () => this.#repeated(),
      name: `journal ${shard}`,
    });
  }

  #startRecovery(): Promise<void> {
    this.#recovery ??= this.#recover().finally(() => {
      this.#recovery = undefined;
      // Lost again between the last write of the recovery and this line.
      if (this.#spilling && !this.#closing.signal.aborted) void this.#startRecovery();
    });
    return this.#recovery;
  }

  /** Waits for the database, replays what earlier runs left, then the own spill; ends when writes go direct again. */
  async #recover(): Promise<void> {
    const since = this.#now();
    for (
      let wait: number = pauses.first;
      !this.#closing.signal.aborted;
      wait = Math.min(pauses.longest, wait * 2)
    ) {
      try {
        // A promise of its own: p-timeout would cancel a late query, over one more connection.
        await this.#withinTimeout(this.#sql`select 1`.then());
        await this.#replayLeftovers();
        while (this.#spill !== undefined && this.#spill.depth > lastEntries) await this.#replay(this.#spill);
        await this.#serially(() => this.#returnToDatabase());
        this.#options.log.info(
          { milliseconds: this.#now() - since },
          'the journal is level with the database',
        );
        return;
      } catch (thrown) {
        // A database that is away is known already; one that answers and refuses is news.
        const level = isDatabaseAway(thrown) ? 'debug' : 'error';
        this.#options.log[level]({ err: thrown }, 'the journal cannot replay yet');
        if (thrown instanceof NoAnswer) this.#replacePool();
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
        // The streams behind it are gone: the next stream, or the sweep, may take the conversation at once.
        while ((await this.#replay(spill, { ...this.#holder, leaseDuration: 0 })) > 0);
      } finally {
        await spill.close(spill.depth === 0);
      }
      this.#leftovers.shift();
    }
  }

  /** Undefined for a damaged one, which is set aside: it must not keep the rest from the database for ever. */
  async #openLeftover(path: string): Promise<Spill | undefined> {
    try {
      return new Spill(path, Number.POSITIVE_INFINITY);
    } catch (thrown) {
      this.#options.log.error(
        { folder: basename(path), err: thrown },
        'a spill cannot be opened; it is set aside',
      );
      await this.#folders.setAside(path);
      return undefined;
    }
  }

  /** Runs between two writes: nothing is added while the rest is replayed. */
  async #returnToDatabase(): Promise<void> {
    const spill = this.#spill;
    if (spill !== undefined) {
      spill.flush();
      while ((await this.#replay(spill)) > 0);
      this.#spill = undefined;
      await spill.close(true);
    }
    this.#spilling = false;
    this.#showDepth();
  }

  async #replay(spill: Spill, holder = this.#holder): Promise<number> {
    const replayed = await replayBatch(spill, {
      sql: this.#sql,
      holder,
      rejected: this.rejected,
      pace: this.#pace,
      bounded: (work) => this.#withinTimeout(work()),
    });
    this.#options.metrics.add('journal_replayed_total', replayed);
    this.#showDepth();
    return replayed;
  }

  #showDepth(): void {
    this.#options.metrics.set('journal_spill_depth', this.#spill?.depth ?? 0);
  }

  #serially<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => {});
    return result;
  }

  /** A statement that is late goes on: it may be repeated, and its connection is given up with the pool. */
  #withinTimeout<Result>(work: Promise<Result>): Promise<Result> {
    const milliseconds = this.#options.databaseTimeout;
    return pTimeout(work, { milliseconds, message: new NoAnswer(milliseconds) });
  }

  #now(): number {
    return (this.#options.clock ?? Date.now)();
  }
}

import { within } from '../common/index.js';
import { connectDatabase, retrying, type Sql } from '../store/client/index.js';
import type { JournalOptions } from './options.js';

/** Time in ms after which an idle connection is closed, so that shards without streams use no connections. */
const idleConnection = 60_000;

/** Error: the database did not respond within the journal's timeout. */
export class NoAnswer extends Error {
  readonly code = 'NO_ANSWER';

  constructor(milliseconds: number) {
    super(`no answer within ${milliseconds} ms`);
  }
}

/**
 * The database connections of one journal. Every use has a timeout, and hanging connections can be replaced. The
 * journal's `WritePath` owns the connections.
 */
export class JournalDatabase {
  #sql: Sql;

  /** @param connections maximum number of connections to the database. */
  constructor(
    private readonly options: JournalOptions,
    private readonly connections: number,
  ) {
    this.#sql = this.#connect();
  }

  /** The current pool of connections. `replace` creates a new pool. */
  get sql(): Sql {
    return this.#sql;
  }

  /**
   * Runs statements, and repeats them after a deadlock.
   * @throws NoAnswer after the timeout; otherwise the error of the last attempt.
   */
  run<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.bounded(
      retrying(
        () => work(this.#sql),
        () => this.#countRepetition(),
      ),
    );
  }

  /**
   * Waits for database work, at most for the journal's timeout. The work itself is not cancelled.
   * @throws NoAnswer after the timeout.
   */
  bounded<Result>(work: Promise<Result>): Promise<Result> {
    const milliseconds = this.options.databaseTimeout;
    return within(work, milliseconds, () => {
      throw new NoAnswer(milliseconds);
    });
  }

  /**
   * Opens new connections and abandons the current ones, because a hanging connection would also block later
   * statements.
   */
  replace(): void {
    const old = this.#sql;
    this.#sql = this.#connect();
    void old.end({ timeout: 0 }).catch(() => {});
  }

  /** Closes the connections at once, and abandons running statements. */
  async close(): Promise<void> {
    await this.#sql.end({ timeout: 0 });
  }

  #connect(): Sql {
    const { databaseUrl, databaseTimeout, shard, announcer } = this.options;
    return connectDatabase(databaseUrl, {
      max: this.connections,
      timeoutMs: databaseTimeout,
      statementTimeoutMs: databaseTimeout,
      idleTimeoutMs: idleConnection,
      onRepeat: () => this.#countRepetition(),
      name: `journal ${shard}`,
      announcer,
    });
  }

  #countRepetition(): void {
    this.options.metrics.add('journal_conflicts_total');
  }
}

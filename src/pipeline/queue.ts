import PgBoss from 'pg-boss';
import { connectDatabase, type Sql } from '../store/database.js';

/** A job: which conversation, and which revision of it. */
export interface ConversationJob {
  readonly id: string;
  readonly revision: number;
}

export interface Queue {
  /** Adds a job unless one for the same conversation and revision was added just now. */
  send(job: ConversationJob): Promise<void>;
  /** Takes a waiting job, null when there is none (or the database is away). */
  take(): Promise<{ readonly jobId: string; readonly job: ConversationJob } | null>;
  complete(jobId: string): Promise<void>;
  /** Puts a job back; it is retried with backoff. */
  fail(jobId: string, why: string): Promise<void>;
  close(): Promise<void>;
}

const name = 'conversation';
/** Attempts after the first. */
export const retryLimit = 4;
/** Seconds after which an attempt counts as dead: its process ended without a word. */
export const attemptExpiry = 60;
/**
 * For this long (seconds) a second job of the same conversation and revision is refused, whatever the first is doing: it
 * may have been taken but not claimed yet. Not longer, because a job whose taker lost its connection does nothing.
 */
const singletonSeconds = 5;
const retries = { retryLimit, retryBackoff: true, retryDelay: 1, expireInSeconds: attemptExpiry };

/**
 * Opens the job queue in the schema `pgboss` of the same database.
 *
 * Only pg-boss's storage is used, not its workers: those drop the promise of `complete`, which ends the process when
 * the database goes away at that moment. It gets one connection of its own, because it sends whole transactions as one
 * text, which must not be spread over a pool.
 * @param onError is told what its maintenance failed with.
 */
export const openQueue = async (databaseUrl: string, onError: (error: unknown) => void): Promise<Queue> => {
  const sql: Sql = connectDatabase(databaseUrl, { max: 1, name: 'jobs' });
  const boss = new PgBoss({
    db: {
      async executeSql(text: string, values?: unknown[]) {
        // It leaves options that were not given undefined, and means null.
        const parameters = values?.map((value) => (value === undefined ? null : value));
        const rows = await (parameters ? sql.unsafe(text, parameters as never[]) : sql.unsafe(text));
        return { rows: rows as unknown as Record<string, unknown>[] };
      },
    },
    schedule: false,
    supervise: true,
    maintenanceIntervalSeconds: 30,
    archiveCompletedAfterSeconds: 3600,
    deleteAfterDays: 1,
  });
  boss.on('error', onError);
  try {
    await boss.start();
    if ((await boss.getQueue(name)) === null) {
      // `short`: one waiting job for a key. A stricter policy would let a duplicate hold up the whole queue.
      await boss.createQueue(name, { name, policy: 'short', ...retries });
    }
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {});
    await sql.end({ timeout: 1 });
    throw error;
  }
  return {
    async send(job) {
      await boss.send(
        name,
        { ...job },
        { singletonKey: `${job.id}:${job.revision}`, singletonSeconds, ...retries },
      );
    },
    async take() {
      const [taken] = await boss.fetch<ConversationJob>(name, { batchSize: 1 });
      return taken ? { jobId: taken.id, job: taken.data } : null;
    },
    async complete(jobId) {
      await boss.complete(name, jobId);
    },
    async fail(jobId, why) {
      await boss.fail(name, jobId, { why });
    },
    async close() {
      await boss.stop({ graceful: false });
      await sql.end({ timeout: 2 });
    },
  };
};

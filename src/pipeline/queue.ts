import PgBoss from 'pg-boss';
import { connectDatabase, type Sql } from '../store/database.js';

/** A job: a conversation and its revision. */
export interface ConversationJob {
  readonly id: string;
  readonly revision: number;
}

export interface Queue {
  /** Adds a job unless one for the same conversation and revision was added in the last seconds. */
  send(job: ConversationJob): Promise<void>;
  /** Takes a waiting job; null when there is none or the database is away. */
  take(): Promise<{ readonly jobId: string; readonly job: ConversationJob } | null>;
  complete(jobId: string): Promise<void>;
  /** Puts a job back; it is tried again with growing pauses. */
  fail(jobId: string, why: string): Promise<void>;
  close(): Promise<void>;
}

const name = 'conversation';
/** Attempts after the first. */
export const retryLimit = 4;
/** Seconds after which an attempt is taken to have been lost with its process. */
export const attemptExpiry = 60;
/**
 * Seconds in which a second job for the same conversation and revision is refused, because the first may have been taken but
 * not have claimed the conversation yet. Not longer, because the process that took the first may have lost its connection.
 */
const singletonSeconds = 5;
const retries = { retryLimit, retryBackoff: true, retryDelay: 1, expireInSeconds: attemptExpiry };

/**
 * Opens the job queue, which is in the schema `pgboss` of the same database.
 *
 * Only the storage of pg-boss is used. Its workers do not handle a rejection of `complete`, which ends the process when the
 * database is lost at that moment. It gets one connection of its own, because it sends whole transactions as texts of several
 * statements, which must not be spread over a pool.
 * @param onError called with errors of its maintenance.
 */
export const openQueue = async (databaseUrl: string, onError: (error: unknown) => void): Promise<Queue> => {
  const sql: Sql = connectDatabase(databaseUrl, { max: 1, name: 'jobs' });
  const boss = new PgBoss({
    db: {
      async executeSql(text: string, values?: unknown[]) {
        // pg-boss passes undefined for absent options, which the client library refuses; null is what it means.
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
      // `short` allows one waiting job for a key. With a stricter policy a duplicate could block the whole queue.
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

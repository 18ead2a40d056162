import { hash, randomUUID } from 'node:crypto';
import PgBoss from 'pg-boss';
import { connectDatabase, type Sql } from '../../store/client/index.js';
import type { StepRun } from '../../wire/index.js';
import { retryLimit } from '../work/index.js';

/** A job of the queue `conversation`: a conversation and its revision. */
export interface ConversationJob {
  readonly id: string;
  readonly revision: number;
  /** Number of attempts before this one. */
  readonly attempt: number;
}

/** A job of the queue `step`: a run of a step. */
export interface StepJob extends StepRun {
  /** Number of attempts before this one. */
  readonly attempt: number;
}

/** A job of the queue `retained`: the key of retained audio. */
export interface RetainedJob {
  readonly key: string;
}

/** The data of a job, by queue. */
export interface JobKinds {
  /** Conversations that wait for their summary. */
  readonly conversation: ConversationJob;
  /** Steps that follow a summary. */
  readonly step: StepJob;
  /** Retained audio that waits for its transcription. */
  readonly retained: RetainedJob;
}

export type QueueName = keyof JobKinds;

export interface TakenJob<Job> {
  readonly jobId: string;
  readonly job: Job;
}

export interface Queue {
  /**
   * Adds jobs. Refuses a job if a job with the same key waits in the queue, or was added within the last
   * `singletonSeconds`.
   * @returns the refused jobs.
   */
  send<Name extends QueueName>(name: Name, jobs: readonly JobKinds[Name][]): Promise<JobKinds[Name][]>;
  /** Takes waiting jobs, oldest first. Returns none if no job waits or the database is unreachable. */
  take<Name extends QueueName>(name: Name, most: number): Promise<TakenJob<JobKinds[Name]>[]>;
  /** Returns the number of jobs that wait in a queue. */
  waiting(name: QueueName): Promise<number>;
  complete(name: QueueName, jobId: string): Promise<void>;
  /** Puts a failed job back. It is retried with growing pauses. */
  fail(name: QueueName, jobId: string, why: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * After a job was added, a second job with the same queue and key is refused for this many seconds. Meanwhile a process
 * may have taken the first job without having claimed its work yet. The period is short, because the second job is
 * needed if that process loses its connection.
 */
export const singletonSeconds = 5;

/** The key that identifies a job, by queue. */
export const keyOf: { readonly [Name in QueueName]: (job: JobKinds[Name]) => string } = {
  conversation: ({ id, revision, attempt }) => `${id}:${revision}:${attempt}`,
  step: ({ step, key, run, attempt }) => `${step}:${key}:${run}:${attempt}`,
  retained: ({ key }) => key,
};

/**
 * Seconds before the second attempt. Later pauses grow. The first pause is shortest for summaries, because clients
 * wait for them.
 */
export const retryDelay: Readonly<Record<QueueName, number>> = { conversation: 1, step: 2, retained: 5 };

/**
 * Opens the job queues in schema `pgboss` of the same database.
 *
 * Uses only the storage of pg-boss, not its workers. The workers do not handle a rejected `complete`, so a failure of
 * the database connection at that moment would end the process. The jobs have a separate connection, because pg-boss
 * sends a transaction as one text with several statements. A pool must not distribute these statements over
 * connections.
 * @param expiry seconds after which an attempt is considered lost, because its process has probably ended.
 * @param place where retained audio is stored. Each place has its own queue, read by processes that can read the audio.
 * @param onError called with errors of pg-boss maintenance.
 */
export const openQueue = async (
  databaseUrl: string,
  expiry: number,
  place: string,
  onError: (error: unknown) => void,
): Promise<Queue> => {
  const sql: Sql = connectDatabase(databaseUrl, { max: 1, name: 'jobs' });
  const boss = new PgBoss({
    db: {
      async executeSql(text: string, values?: unknown[]) {
        // pg-boss passes undefined for absent options. postgres.js refuses undefined, so null is passed.
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
  const retriesOf = (name: QueueName) => ({
    // Failed jobs of other queues leave the queue and wait for their user's next turn.
    retryLimit: name === 'retained' ? retryLimit : 0,
    retryBackoff: true,
    retryDelay: retryDelay[name],
    expireInSeconds: expiry,
  });
  boss.on('error', onError);
  const queueOf = (name: QueueName): string =>
    name === 'retained' ? `retained-${hash('sha256', place, 'hex').slice(0, 16)}` : name;
  /** Adds jobs in one statement. @returns the ids of the added jobs, which pg-boss does not report. */
  const insert = async (jobs: readonly PgBoss.JobInsert[]): Promise<ReadonlySet<string>> => {
    const added = new Set<string>();
    const executeSql = async (text: string, [, ...others]: unknown[]) => {
      // pg-boss passes the jobs as JSON text. postgres.js would encode that text again, so the jobs
      // themselves are passed.
      const values = [jobs, ...others.map((value) => value ?? null)];
      const rows = await sql.unsafe<{ id: string }[]>(`${text} returning id`, values as never[]);
      for (const { id } of rows) added.add(id);
      return { rows };
    };
    await boss.insert([...jobs], { db: { executeSql } });
    return added;
  };
  try {
    await boss.start();
    for (const name of Object.keys(keyOf) as QueueName[]) {
      const queue = queueOf(name);
      if ((await boss.getQueue(queue)) === null) {
        // `short` allows one waiting job for each key. With a stricter policy, one duplicate job could block the whole
        // queue.
        await boss.createQueue(queue, { name: queue, policy: 'short', ...retriesOf(name) });
      }
    }
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {});
    await sql.end({ timeout: 1 });
    throw error;
  }
  return {
    async send<Name extends QueueName>(name: Name, jobs: readonly JobKinds[Name][]) {
      if (jobs.length === 0) return [];
      const common = { name: queueOf(name), singletonSeconds, ...retriesOf(name) };
      // Ids must be sorted: jobs of one statement have the same time, so pg-boss takes them in the order of their ids.
      const ids = jobs.map(() => randomUUID()).sort();
      const added = await insert(
        jobs.map((job, index) => ({
          ...common,
          id: ids[index]!,
          data: { ...job },
          singletonKey: keyOf[name](job),
        })),
      );
      return jobs.filter((_job, index) => !added.has(ids[index]!));
    },
    async take<Name extends QueueName>(name: Name, most: number) {
      const taken = await boss.fetch<JobKinds[Name]>(queueOf(name), { batchSize: most });
      return taken.map(({ id, data }) => ({ jobId: id, job: data }));
    },
    waiting: (name) => boss.getQueueSize(queueOf(name)),
    async complete(name, jobId) {
      await boss.complete(queueOf(name), jobId);
    },
    async fail(name, jobId, why) {
      await boss.fail(queueOf(name), jobId, { why });
    },
    async close() {
      await boss.stop({ graceful: false });
      await sql.end({ timeout: 2 });
    },
  };
};

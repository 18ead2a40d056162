import { hash, randomUUID } from 'node:crypto';
import PgBoss from 'pg-boss';
import { connectDatabase, type Sql } from '../../store/client/index.js';
import type { StepRun } from '../../wire/index.js';
import { retryLimit } from '../work/index.js';

/** A job of the first queue: a conversation and its revision. */
export interface ConversationJob {
  readonly id: string;
  readonly revision: number;
  /** Attempts before this one. */
  readonly attempt: number;
}

/** A job of the second queue: a run of a step. */
export interface StepJob extends StepRun {
  /** Attempts before this one. */
  readonly attempt: number;
}

/** A job of the queue of retained audio. */
export interface RetainedJob {
  readonly key: string;
}

/** What the jobs of each queue say. */
export interface JobKinds {
  /** Conversations that wait for their summary. */
  readonly conversation: ConversationJob;
  /** Steps that follow. */
  readonly step: StepJob;
  /** Retained audio that is transcribed. */
  readonly retained: RetainedJob;
}

export type QueueName = keyof JobKinds;

export interface TakenJob<Job> {
  readonly jobId: string;
  readonly job: Job;
}

export interface Queue {
  /** Adds jobs, except for those whose like waits already or was added in the last seconds. @returns those that were not added. */
  send<Name extends QueueName>(name: Name, jobs: readonly JobKinds[Name][]): Promise<JobKinds[Name][]>;
  /** Takes waiting jobs, the oldest first; none when there are none or the database is away. */
  take<Name extends QueueName>(name: Name, most: number): Promise<TakenJob<JobKinds[Name]>[]>;
  /** Jobs that wait in a queue. */
  waiting(name: QueueName): Promise<number>;
  complete(name: QueueName, jobId: string): Promise<void>;
  /** Puts a job back; it is tried again with growing pauses. */
  fail(name: QueueName, jobId: string, why: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Seconds in which a second job of the same name and key is refused, because the first may have been taken but not have claimed its
 * work yet. Not longer, because the process that took the first may have lost its connection.
 */
export const singletonSeconds = 5;

/** What tells the jobs of a queue apart. */
export const keyOf: { readonly [Name in QueueName]: (job: JobKinds[Name]) => string } = {
  conversation: ({ id, revision, attempt }) => `${id}:${revision}:${attempt}`,
  step: ({ step, key, run, attempt }) => `${step}:${key}:${run}:${attempt}`,
  retained: ({ key }) => key,
};

/** Seconds before the second attempt, which grow. Clients wait for a summary; what follows has time. */
export const retryDelay: Readonly<Record<QueueName, number>> = { conversation: 1, step: 2, retained: 5 };

/**
 * Opens the job queues, which are in the schema `pgboss` of the same database.
 *
 * Only the storage of pg-boss is used. Its workers do not handle a rejection of `complete`, which ends the process when the
 * database is lost at that moment. It gets one connection of its own, because it sends whole transactions as texts of several
 * statements, which must not be spread over a pool.
 * @param expiry seconds after which an attempt is taken to have been lost with its process.
 * @param place where the audio lies whose jobs can be done here: they have a queue of their own.
 * @param onError called with errors of its maintenance.
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
  const retriesOf = (name: QueueName) => ({
    // The others leave the queue when they fail, and wait for the next turn of their user.
    retryLimit: name === 'retained' ? retryLimit : 0,
    retryBackoff: true,
    retryDelay: retryDelay[name],
    expireInSeconds: expiry,
  });
  boss.on('error', onError);
  const queueOf = (name: QueueName): string =>
    name === 'retained' ? `retained-${hash('sha256', place, 'hex').slice(0, 16)}` : name;
  /** Adds jobs in one statement. @returns the ids of those that were added, which pg-boss does not tell. */
  const insert = async (jobs: readonly PgBoss.JobInsert[]): Promise<ReadonlySet<string>> => {
    const added = new Set<string>();
    const executeSql = async (text: string, [, ...others]: unknown[]) => {
      // pg-boss gives the jobs as JSON, which the client library would write as JSON once more.
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
        // `short` allows one waiting job for a key. With a stricter policy a duplicate could block the whole queue.
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
      // Jobs of one statement have the same time, and are taken in the order of their ids.
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

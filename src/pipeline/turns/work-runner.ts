import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '../../log/index.js';
import { isDatabaseAway, isTimeout } from '../../store/client/index.js';
import { errorCode, type Signal } from '../work/index.js';
import type { JobKinds, Queue, QueueName, TakenJob } from './queue.js';

const idlePause = 2000;
const longestPause = 5000;

export interface WorkerOptions<Name extends QueueName> {
  readonly queue: Queue;
  readonly name: Name;
  /** Number of jobs that run at once. */
  readonly workers: number;
  readonly work: Signal;
  readonly closing: () => boolean;
  readonly log: Logger;
  /** Runs a job. Rejects if the job should be repeated. */
  run(job: JobKinds[Name]): Promise<void>;
  /** Postpones a job in its table for another attempt. Absent if failed jobs wait in the queue. */
  again?(job: JobKinds[Name]): Promise<void>;
  /** Called when jobs were taken from the queue, so that the queue has space again. */
  taken?(): void;
  /** Called when a worker begins a job, and when it ends the job. */
  begun?(job: JobKinds[Name]): void;
  ended?(job: JobKinds[Name]): void;
}

/** Postpones a job so that it is attempted again. */
const putBack = async <Name extends QueueName>(
  { queue, name, again }: WorkerOptions<Name>,
  { jobId, job }: TakenJob<JobKinds[Name]>,
  why: string,
): Promise<void> => {
  if (again === undefined) return queue.fail(name, jobId, why);
  await again(job);
  await queue.complete(name, jobId);
};

/** Runs one job. Repeats it while the database is unreachable, until its result is stored. */
const attempt = async <Name extends QueueName>(
  options: WorkerOptions<Name>,
  taken: TakenJob<JobKinds[Name]>,
): Promise<void> => {
  const { queue, name, work, closing, log } = options;
  const { jobId, job } = taken;
  for (let pause = 100; !closing(); pause = Math.min(2 * pause, longestPause)) {
    try {
      await options.run(job);
      await queue.complete(name, jobId);
      return;
    } catch (error) {
      // A statement timeout counts as a failure of this job. Before the retry, other jobs get their turns.
      if (!isDatabaseAway(error) || isTimeout(error)) {
        if (!closing()) log.warn({ queue: name, err: error }, 'a job failed and will be repeated');
        await putBack(options, taken, errorCode(error));
        return;
      }
      await work.wait(pause);
    }
  }
};

/** Runs the jobs of a queue until the pipeline closes. */
export const runWorkers = async <Name extends QueueName>(options: WorkerOptions<Name>): Promise<void> => {
  const { queue, name, workers, work, closing, log } = options;
  /** Taken jobs that no worker has begun. */
  const taken: TakenJob<JobKinds[Name]>[] = [];
  let taking: Promise<void> | undefined;

  /** Number of workers without a job. */
  let idle = workers;

  /**
   * Whether a worker asked for jobs after the current read of the queue had begun. That read may have missed the job
   * for which the worker was woken. So if it finds no job, the queue is read again.
   */
  let isLate = false;
  /** Number of workers that wait for the current read of the queue. */
  let looking = 0;

  /**
   * Takes one job for each idle worker, because reading several jobs costs little more than reading one. Further jobs
   * would wait in this process, where users do not take turns.
   */
  const take = async (): Promise<void> => {
    let jobs: TakenJob<JobKinds[Name]>[];
    do {
      // Workers that wake at the same time share one read of the queue.
      await nextTurn();
      isLate = false;
      jobs = await queue.take(name, idle);
    } while (jobs.length === 0 && isLate && !closing());
    if (jobs.length === 0) return;
    taken.push(...jobs);
    options.taken?.();
    // If there are more jobs than awake workers, wakes the sleeping workers.
    if (jobs.length > looking) work.wake();
  };

  const refill = async (): Promise<void> => {
    isLate = true;
    looking++;
    taking ??= take().finally(() => {
      taking = undefined;
    });
    await taking.finally(() => {
      looking--;
    });
  };

  const worker = async (): Promise<void> => {
    while (!closing()) {
      try {
        if (taken.length === 0) await refill();
        const next = taken.shift();
        if (next) {
          idle--;
          options.begun?.(next.job);
          await attempt(options, next).finally(() => {
            idle++;
            options.ended?.(next.job);
          });
        } else if (!closing()) await work.wait(idlePause);
      } catch (error) {
        if (!closing()) {
          log.warn({ err: error }, 'job queue');
          await work.wait(idlePause);
        }
      }
    }
  };

  await Promise.all(Array.from({ length: workers }, worker));
  // Returns jobs that were taken but never began, so that another process can take them.
  for (const job of taken) await putBack(options, job, 'closing').catch(() => undefined);
};

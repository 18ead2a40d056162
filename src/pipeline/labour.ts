import type { Logger } from '../log/index.js';
import { isDatabaseAway, isTimeout } from '../store/failure.js';
import { errorCode } from './attempts.js';
import type { JobKinds, Queue, QueueName, TakenJob } from './queue.js';
import type { Signal } from './signal.js';

const idlePause = 2000;
const longestPause = 5000;

export interface LabourOptions<Name extends QueueName> {
  readonly queue: Queue;
  readonly name: Name;
  /** Jobs that run at once. */
  readonly workers: number;
  readonly work: Signal;
  readonly closing: () => boolean;
  readonly log: Logger;
  /** Does a job; rejects when it should be repeated. */
  run(job: JobKinds[Name]): Promise<void>;
}

/** Runs the jobs of a queue until the pipeline closes. */
export const labour = async <Name extends QueueName>(options: LabourOptions<Name>): Promise<void> => {
  const { queue, name, workers, work, closing, log, run } = options;
  /** Taken jobs that no worker has begun; a batch costs the database little more than a single one. */
  const taken: TakenJob<JobKinds[Name]>[] = [];
  let taking: Promise<void> | undefined;

  const refill = (): Promise<void> => {
    taking ??= queue
      .take(name, workers)
      .then((jobs) => void taken.push(...jobs))
      .finally(() => {
        taking = undefined;
      });
    return taking;
  };

  /** Runs one job and repeats storing its result until the database has accepted it, however long that takes. */
  const attempt = async ({ jobId, job }: TakenJob<JobKinds[Name]>): Promise<void> => {
    for (let pause = 100; !closing(); pause = Math.min(2 * pause, longestPause)) {
      try {
        await run(job);
        await queue.complete(name, jobId);
        return;
      } catch (error) {
        // A statement that took too long is this job's: other jobs have their turns before it is tried again.
        if (!isDatabaseAway(error) || isTimeout(error)) {
          if (!closing()) log.warn({ queue: name, err: error }, 'a job failed and will be repeated');
          await queue.fail(name, jobId, errorCode(error));
          return;
        }
        await work.wait(pause);
      }
    }
  };

  const worker = async (): Promise<void> => {
    while (!closing()) {
      try {
        if (taken.length === 0) await refill();
        const next = taken.shift();
        if (next) await attempt(next);
        else if (!closing()) await work.wait(idlePause);
      } catch (error) {
        if (!closing()) {
          log.warn({ err: error }, 'job queue');
          await work.wait(idlePause);
        }
      }
    }
  };

  await Promise.all(Array.from({ length: workers }, worker));
  // What was taken and not begun is left for the next process, or for another one that runs.
  for (const { jobId } of taken) await queue.fail(name, jobId, 'closing').catch(() => undefined);
};

import { Worker } from 'node:worker_threads';
import type { ClosedLoad } from './closed-load.js';
import type { LoadResult } from './load-result.js';
import type { OpenLoad } from './open-load.js';

/**
 * Jobs of the thread. `constant`: send requests at a constant rate. `busy`: send a number of requests, each as soon as
 * an earlier one is answered.
 */
export type LoadJob =
  | { readonly kind: 'constant'; readonly load: Omit<OpenLoad, 'onMeasured'> }
  | { readonly kind: 'busy'; readonly load: Omit<ClosedLoad, 'onMeasured'> };

/** Messages of the thread. `measured`: the counted part has begun or ended. `done` and `failed`: the job has ended. */
export type LoadAnswer =
  | { readonly kind: 'measured' }
  | { readonly kind: 'done'; readonly result: LoadResult }
  | { readonly kind: 'failed'; readonly why: string };

/**
 * Size in MB of the thread's young generation. With V8's default of 48, each collection took 5 to 15 ms, while two or
 * three answers waited. More than one answer in a hundred was late for this reason, so the p99 described the client
 * more than the server.
 */
const youngObjects = 3;

let thread: Worker | undefined;

const startedThread = (): Worker => {
  thread ??= new Worker(new URL('load-worker.js', import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: youngObjects },
  });
  return thread;
};

/**
 * Runs a job. Only one job may run at a time. The thread is kept for the next job, but does not keep the process alive.
 */
const run = (job: LoadJob, onMeasured?: () => void): Promise<LoadResult> => {
  const worker = startedThread();
  return new Promise<LoadResult>((resolve, reject) => {
    const end = (settle: () => void): void => {
      worker.off('message', onAnswer).off('error', onError).unref();
      settle();
    };
    const onAnswer = (answer: LoadAnswer): void => {
      if (answer.kind === 'measured') onMeasured?.();
      else if (answer.kind === 'failed') end(() => reject(new Error(answer.why)));
      else end(() => resolve(answer.result));
    };
    // An uncaught error in the thread ends it.
    const onError = (error: unknown): void => {
      thread = undefined;
      end(() => reject(error));
    };
    worker.on('message', onAnswer).on('error', onError).ref();
    worker.postMessage(job);
  });
};

/** Runs `runOpenLoad` in the load thread. */
export const loadInThread = ({ onMeasured, ...load }: OpenLoad): Promise<LoadResult> =>
  run({ kind: 'constant', load }, onMeasured);

/** Runs `runClosedLoad` in the thread of `loadInThread`. So the thread's code is compiled for both kinds of load. */
export const busyLoadInThread = ({ onMeasured, ...load }: ClosedLoad): Promise<LoadResult> =>
  run({ kind: 'busy', load }, onMeasured);

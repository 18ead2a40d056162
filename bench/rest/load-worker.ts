import { parentPort } from 'node:worker_threads';
import { reasonOf } from '../../src/errors/index.js';
import type { LoadAnswer, LoadJob } from './load-thread.js';
import { type OpenLoadResult, runOpenLoad } from './open-load.js';
import { warmUp } from './warm-up.js';

const answer = (given: LoadAnswer): void => parentPort!.postMessage(given);

const work = async (job: LoadJob): Promise<OpenLoadResult | null> => {
  if (job.kind === 'constant') {
    return runOpenLoad({ ...job.load, onMeasured: () => answer({ kind: 'measured' }) });
  }
  await warmUp(job.url, job.requests, job.count);
  return null;
};

parentPort!.on('message', (job: LoadJob) => {
  work(job).then(
    (result) => answer({ kind: 'done', result }),
    (error: unknown) => answer({ kind: 'failed', why: reasonOf(error) }),
  );
});

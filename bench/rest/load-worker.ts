import { parentPort } from 'node:worker_threads';
import { reasonOf } from '../../src/errors/cochlea-error.js';
import { runClosedLoad } from './closed-load.js';
import type { LoadResult } from './load-result.js';
import type { LoadAnswer, LoadJob } from './load-thread.js';
import { runOpenLoad } from './open-load.js';

const answer = (given: LoadAnswer): void => parentPort!.postMessage(given);
const onMeasured = (): void => answer({ kind: 'measured' });

const work = ({ kind, load }: LoadJob): Promise<LoadResult> =>
  kind === 'constant' ? runOpenLoad({ ...load, onMeasured }) : runClosedLoad({ ...load, onMeasured });

parentPort!.on('message', (job: LoadJob) => {
  work(job).then(
    (result) => answer({ kind: 'done', result }),
    (error: unknown) => answer({ kind: 'failed', why: reasonOf(error) }),
  );
});

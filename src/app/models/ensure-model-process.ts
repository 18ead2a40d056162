/** Child process that `ensure-owned-model.ts` starts as the folder's owner. Fetches one model and exits. */
import { reasonOf } from '../../errors/index.js';
import { ensureModel } from '../../models/index.js';
import { asCochleaError } from '../process/index.js';
import type { FetchReport, FetchRequest } from './ensure-owned-model.js';

const report = (message: FetchReport): void => void process.send?.(message);

process.once('message', ({ name, options }: FetchRequest) => {
  ensureModel(name, {
    ...options,
    progress: (progress) => report({ kind: 'progress', progress }),
    passedOver: (line) => report({ kind: 'passedOver', line }),
  })
    .then(
      (files) => report({ kind: 'present', files }),
      (error: unknown) => {
        const known = asCochleaError(error);
        report(known ? { kind: 'failed', error: known.toJSON() } : { kind: 'broken', why: reasonOf(error) });
      },
    )
    .finally(() => process.disconnect());
});
// The parent may end at any time. A later fetch removes incomplete files.
process.once('disconnect', () => process.exit());

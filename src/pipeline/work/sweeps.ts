import type { Logger } from '../../log/logger.js';
import { sweepRevokedKeys } from '../../store/accounts/api-keys.js';
import { sweepIssuerRecords } from '../../store/accounts/issuer-records.js';
import { removeEndedWindows } from '../../store/accounts/rate-windows.js';
import type { Sql } from '../../store/client/database.js';
import { sweepRecordings } from '../../store/conversations/recordings.js';
import { sweepModelTokens } from '../../store/jobs/model-tokens.js';
import { sweepSteps } from '../../store/jobs/steps.js';
import { sweepOrphans } from '../../store/jobs/sweep.js';
import { sweepIdempotencyKeys } from '../../store/records/idempotency.js';

/** Ms between two removals of what is not needed any more. */
const sweepPause = 60_000;

/** Removes rows that are not needed any more. */
const sweep = async (sql: Sql): Promise<void> => {
  await sweepIdempotencyKeys(sql);
  await sweepIssuerRecords(sql);
  await removeEndedWindows(sql);
  await sweepRevokedKeys(sql);
  await sweepModelTokens(sql);
  await sweepSteps(sql);
  await sweepRecordings(sql);
};

/** @returns what removes rows that are not needed any more; called again within `sweepPause` it does nothing. */
export const createSweep = (sql: Sql): (() => Promise<void>) => {
  let sweptAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - sweptAt < sweepPause) return;
    sweptAt = performance.now();
    await sweep(sql);
  };
};

/** Finishes conversations whose engine is gone. @param grace seconds after a start of the database server without sweeps. */
export const finishOrphans = async (sql: Sql, grace: number, log: Logger): Promise<void> => {
  const { finished, deleted } = await sweepOrphans(sql, grace);
  if (finished.length + deleted.length > 0) {
    log.info({ finished: finished.length, deleted: deleted.length }, 'orphaned conversations swept');
  }
};

import type { Logger } from '../../log/index.js';
import {
  removeEndedWindows,
  sweepConsoleSessions,
  sweepIssuerRecords,
  sweepRevokedKeys,
} from '../../store/accounts/index.js';
import type { Sql } from '../../store/client/index.js';
import { sweepRecordings } from '../../store/conversations/index.js';
import { sweepUndoableChanges } from '../../store/corrections/index.js';
import { sweepModelTokens, sweepOrphans, sweepSteps } from '../../store/jobs/index.js';
import { removeEndedEngines, removeOldReplayed, removeOldResumes } from '../../store/live/index.js';
import { sweepIdempotencyKeys } from '../../store/records/index.js';

/** Ms between two removals of expired rows. */
const sweepPause = 60_000;

/** Removes expired rows. */
const sweep = async (sql: Sql): Promise<void> => {
  await sweepIdempotencyKeys(sql);
  await sweepIssuerRecords(sql);
  await sweepConsoleSessions(sql);
  await removeEndedWindows(sql);
  await sweepRevokedKeys(sql);
  await sweepModelTokens(sql);
  await sweepSteps(sql);
  await sweepRecordings(sql);
  await sweepUndoableChanges(sql);
  await removeEndedEngines(sql);
  await removeOldReplayed(sql);
  await removeOldResumes(sql);
};

/**
 * Creates the sweep. @returns a function that removes expired rows. It runs at most once every `sweepPause` ms.
 */
export const createSweep = (sql: Sql): (() => Promise<void>) => {
  let sweptAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - sweptAt < sweepPause) return;
    sweptAt = performance.now();
    await sweep(sql);
  };
};

/**
 * Finishes conversations whose engine is gone.
 * @param grace for this many seconds after the database server has started, nothing is finished.
 */
export const finishOrphans = async (sql: Sql, grace: number, log: Logger): Promise<void> => {
  const { finished, deleted } = await sweepOrphans(sql, grace);
  if (finished.length + deleted.length > 0) {
    log.info({ finished: finished.length, deleted: deleted.length }, 'orphaned conversations swept');
  }
};

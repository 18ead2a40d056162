import { type Sql, treatmentOf } from '../client/index.js';
import { type ReleasedLease, releaseLeases } from './conversation-voices.js';
import { releaseLease } from './leases.js';

/**
 * Releases leases together, for `Gathered`, because a draining shard releases thousands of conversations at once. If the
 * database refuses the voices of a single lease, releases it without them.
 * @param releases at most one for each lease. All earlier changes of their conversations must already be stored.
 */
export const releaseTogether = async (
  sql: Sql,
  releases: readonly ReleasedLease[],
): Promise<readonly true[]> => {
  try {
    await releaseLeases(sql, releases);
  } catch (thrown) {
    const [only, ...others] = releases;
    if (only === undefined || others.length > 0 || treatmentOf(thrown) !== 'reject') throw thrown;
    await releaseLease(sql, only.id, only.epoch);
  }
  return releases.map(() => true);
};

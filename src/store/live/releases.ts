import { type Sql, treatmentOf } from '../client/index.js';
import { type ReleasedLease, releaseLeases } from './conversation-voices.js';
import { releaseLease } from './leases.js';

/**
 * Releases leases together, for `Gathered`, because a draining shard releases thousands of conversations at once. If
 * `releases` has only one lease and the database refuses its voices, releases the lease without voices.
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

import { type Sql, treatmentOf } from '../store/client/index.js';
import { type ReleasedLease, releaseLease, releaseLeases } from '../store/live/index.js';

/** Maximum number of leases that one statement releases. With voices, it has about 200 KB. */
const mostAtOnce = 200;

/**
 * Releases leases in groups. A draining shard releases thousands of conversations at once, each with a write of its
 * own. The first of these writes releases all leases that wait, so the others need no statement.
 */
export class Releases {
  readonly #waiting = new Set<ReleasedLease>();

  /** Adds a lease. All earlier changes of its conversation must already be stored. */
  add(release: ReleasedLease): void {
    this.#waiting.add(release);
  }

  /** Removes a lease that is released in another way. */
  remove(release: ReleasedLease): void {
    this.#waiting.delete(release);
  }

  /** Releases an added lease together with others, unless an earlier call has released it. */
  async run(sql: Sql, release: ReleasedLease): Promise<void> {
    if (!this.#waiting.has(release)) return;
    const others = [...this.#waiting].filter((other) => other !== release).slice(0, mostAtOnce - 1);
    const group = [release, ...others];
    try {
      await releaseLeases(sql, group);
    } catch (thrown) {
      if (treatmentOf(thrown) !== 'reject') throw thrown;
      // The database refuses some voices of the group. The other leases are released by their own calls.
      await releaseLease(sql, release.id, release.epoch);
      this.remove(release);
      return;
    }
    for (const released of group) this.remove(released);
  }
}

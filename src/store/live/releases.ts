import { type Sql, treatmentOf } from '../client/index.js';
import { type ReleasedLease, releaseLeases } from './conversation-voices.js';
import { releaseLease } from './leases.js';

/** Maximum number of leases that one statement releases. With voices, such a statement has about 200 KB. */
const mostAtOnce = 200;

/**
 * Releases leases in groups. A draining shard releases thousands of conversations at once, and calls `run` for each.
 * The first call releases all leases that wait, so the other calls need no statement.
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
    const done = (await this.#runAll(sql, [release, ...others])) ?? (await this.#runAll(sql, [release]));
    // The database refuses the voices of this lease. The other leases of the group are released by their own calls of
    // `run`.
    if (done === undefined) await releaseLease(sql, release.id, release.epoch);
    for (const released of done ?? [release]) this.remove(released);
  }

  /** Releases a group of leases. @returns the group; undefined if the database refuses its content. */
  async #runAll(sql: Sql, group: readonly ReleasedLease[]): Promise<readonly ReleasedLease[] | undefined> {
    try {
      await releaseLeases(sql, group);
      return group;
    } catch (thrown) {
      if (treatmentOf(thrown) !== 'reject') throw thrown;
      return undefined;
    }
  }
}

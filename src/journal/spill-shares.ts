import { UserSums } from '../common/index.js';
import { CochleaError } from '../errors/index.js';
import { encodeSpillEntry, type SpilledChange } from '../wire/spill/index.js';

const sizeOf = (change: SpilledChange): number =>
  encodeSpillEntry({ kind: 'commit', changes: [change] }).byteLength;

/** Returns the error for words of a user who has used their share of the spill. */
export const shareUsed = (): CochleaError =>
  new CochleaError('journal_spill_failed', { why: 'the words of this user have reached SPILL_USER_SIZE' });

/**
 * Counts the bytes of words that each user has written to the spill during an outage. When a user reaches the limit,
 * further words of this user are not written to the spill. So one user cannot use up the space of others, in the spill
 * and in the fleet's stream of spilled entries.
 */
export class SpillShares {
  #written = new UserSums();

  /** @param limit maximum number of bytes of one user. */
  constructor(private readonly limit: number) {}

  /** Counts changes. @returns the changes that are within the shares of their users; other changes are not counted. */
  take(changes: readonly SpilledChange[]): readonly SpilledChange[] {
    return changes.filter((change) => {
      const { uid } = change.conversation;
      const bytes = sizeOf(change);
      if (this.#written.of(uid) + bytes > this.limit) return false;
      this.#written.add(uid, bytes);
      return true;
    });
  }

  /** Undoes the count of changes that could not be written. */
  giveBack(changes: readonly SpilledChange[]): void {
    for (const change of changes) this.#written.add(change.conversation.uid, -sizeOf(change));
  }

  /** Called when the outage is over. */
  clear(): void {
    this.#written = new UserSums();
  }
}

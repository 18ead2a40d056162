import type { ConversationChange, Durability, Journal } from '../../journal/index.js';

interface Waiting {
  readonly change: ConversationChange;
  readonly resolve: (durability: Durability) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Group commit: changes of any conversation of the shard that are handed in while a commit is under way, or within one
 * turn of the event loop, go to the journal as one statement. Commits never overlap, so what is slow makes the next
 * one larger instead of piling up statements.
 */
export class Committer {
  readonly #journal: Pick<Journal, 'commit'>;
  #waiting: Waiting[] = [];
  #running = false;

  constructor(journal: Pick<Journal, 'commit'>) {
    this.#journal = journal;
  }

  /**
   * Resolves once the change is durable, or `fenced`.
   * @throws CochleaError journal_spill_failed
   */
  commit(change: ConversationChange): Promise<Durability> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ change, resolve, reject });
      if (!this.#running) {
        this.#running = true;
        // Not at once: the other conversations of this tick are about to hand in theirs.
        setImmediate(() => void this.#run());
      }
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      try {
        const durability = await this.#journal.commit(group.map(({ change }) => change));
        for (const { change, resolve } of group) {
          resolve(durability.get(change.lease.conversationId) ?? 'fenced');
        }
      } catch (thrown) {
        for (const { reject } of group) reject(thrown);
      }
    }
    this.#running = false;
  }
}

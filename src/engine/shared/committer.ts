import type { ConversationChange, Durability, Journal } from '../../journal/index.js';

interface Waiting {
  readonly change: ConversationChange;
  readonly resolve: (durability: Durability) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Commits the changes of all conversations of the shard in groups. Changes that arrive during a commit, or within
 * one turn of the event loop, go to the journal as one statement. Commits never overlap: a slow commit makes the
 * next one larger instead of piling up statements.
 */
export class Committer {
  #waiting: Waiting[] = [];
  #running = false;

  constructor(private readonly journal: Pick<Journal, 'commit'>) {}

  /**
   * Resolves when the change is durable, or was refused (`fenced`) because another engine owns the conversation.
   * @throws CochleaError journal_spill_failed, durability_unmet
   */
  commit(change: ConversationChange): Promise<Durability> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ change, resolve, reject });
      if (!this.#running) {
        this.#running = true;
        // Starts the commit later, so that the other conversations of this tick can add their changes.
        setImmediate(() => void this.#run());
      }
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      try {
        const durability = await this.journal.commit(group.map(({ change }) => change));
        for (const { change, resolve, reject } of group) {
          const outcome = durability.get(change.lease.conversationId) ?? 'fenced';
          if (typeof outcome === 'string') resolve(outcome);
          else reject(outcome);
        }
      } catch (thrown) {
        for (const { reject } of group) reject(thrown);
      }
    }
    this.#running = false;
  }
}

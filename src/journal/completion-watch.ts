import { settledConversations } from '../store/conversations/index.js';
import { type CompletionFeed, followCompletions, startCompletionFeed } from './completion-feed.js';
import type { WritePath } from './write-path.js';

/** Ms between two polls of the database, because a notification may be lost together with its connection. */
const pollInterval = 5000;
/** Most conversations in one poll. */
const pollBatch = 1000;
/** Most awaited conversations. Above it the oldest are forgotten, because their sockets closed long ago. */
const capacity = 10_000;

/**
 * Reports when the pipeline has completed a conversation. It uses notifications and polling. Listeners are called once for each expected
 * conversation, and for no other.
 */
export class CompletionWatch {
  readonly #feed: CompletionFeed | undefined;
  readonly #unfollow: () => void;
  readonly #expected = new Set<string>();
  readonly #listeners: ((id: string) => void)[] = [];
  readonly #timer: NodeJS.Timeout;
  #polling = false;

  /**
   * @param path reads from the database.
   * @param feed the source of notifications: the feed of this process with this engine id. It is started here if `ownConnectionTo` is a
   *   database address.
   * @param interval ms between two polls.
   */
  constructor(
    private readonly path: Pick<WritePath, 'read'>,
    feed: { readonly engineId: string; readonly ownConnectionTo: string | undefined },
    interval = pollInterval,
  ) {
    const { engineId, ownConnectionTo } = feed;
    if (ownConnectionTo !== undefined) this.#feed = startCompletionFeed(ownConnectionTo, engineId);
    this.#unfollow = followCompletions(engineId, (id) => this.#completed(id));
    this.#timer = setInterval(() => void this.#poll(), interval);
    this.#timer.unref();
  }

  onCompleted(listener: (id: string) => void): void {
    this.#listeners.push(listener);
  }

  expect(id: string): void {
    this.#expected.add(id);
    if (this.#expected.size > capacity) this.#expected.delete(this.#expected.values().next().value!);
  }

  forget(id: string): void {
    this.#expected.delete(id);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#expected.clear();
    this.#unfollow();
    await this.#feed?.close();
  }

  #completed(id: string): void {
    if (!this.#expected.delete(id)) return;
    for (const listener of this.#listeners) listener(id);
  }

  async #poll(): Promise<void> {
    if (this.#polling || this.#expected.size === 0) return;
    this.#polling = true;
    try {
      const asked = [...this.#expected].slice(0, pollBatch);
      const settled = await this.path.read((sql) => settledConversations(sql, asked));
      // `settled` is null while the database is away; the next poll asks again.
      for (const id of settled ?? []) this.#completed(id);
      // A conversation that its user deleted never settles. Moving all to the end lets the next poll ask about others.
      for (const id of asked) if (this.#expected.delete(id)) this.#expected.add(id);
    } finally {
      this.#polling = false;
    }
  }
}

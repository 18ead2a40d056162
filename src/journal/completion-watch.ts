import { settledConversations } from '../store/conversations.js';
import { type CompletionFeed, followCompletions, startCompletionFeed } from './completion-feed.js';
import type { WritePath } from './write-path.js';

/** A notification may be lost with its connection; this often (ms) the database is asked instead. */
const pollInterval = 5000;
/** Conversations asked for at once. */
const pollBatch = 1000;
/** Conversations waited for; over it the oldest are forgotten (their sockets are long gone). */
const capacity = 10_000;

/**
 * Tells when conversations have been completed by the pipeline: by notification, and by asking now and then. Only
 * those expected are told of, once each.
 */
export class CompletionWatch {
  readonly #path: Pick<WritePath, 'read'>;
  readonly #feed: CompletionFeed | undefined;
  readonly #unfollow: () => void;
  readonly #expected = new Set<string>();
  readonly #listeners: ((id: string) => void)[] = [];
  readonly #timer: NodeJS.Timeout;
  #polling = false;

  /**
   * @param path asks the database.
   * @param feed where notifications come from: of the process's feed with the engine's id, or of a connection of its own.
   * @param interval ms between two questions to the database.
   */
  constructor(
    path: Pick<WritePath, 'read'>,
    feed: { readonly engineId: string; readonly ownConnectionTo: string | undefined },
    interval = pollInterval,
  ) {
    this.#path = path;
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
      const settled = await this.#path.read((sql) => settledConversations(sql, asked));
      // Null while the database is away: the next round asks again.
      for (const id of settled ?? []) this.#completed(id);
      // What was deleted by its user never settles: the next question is about the others.
      for (const id of asked) if (this.#expected.delete(id)) this.#expected.add(id);
    } finally {
      this.#polling = false;
    }
  }
}

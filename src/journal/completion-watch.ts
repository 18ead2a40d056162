import { settledConversations } from '../store/conversations/index.js';
import {
  type CompletionFeed,
  followCompletions,
  type ShardEvents,
  startCompletionFeed,
} from './feeds/index.js';
import type { WritePath } from './write-path.js';

/**
 * Time in ms between two polls of the database. Polls are needed because notifications are lost while the connection is
 * lost.
 */
const pollInterval = 5000;
/** Maximum number of conversations in one poll. */
const pollBatch = 1000;
/**
 * Maximum number of conversations whose completion is awaited. When there are more, the oldest are removed, because
 * their sockets have long been closed.
 */
const capacity = 10_000;

/**
 * Reports when the processing of a conversation has ended. Learns this from notifications and from polls of the
 * database. Listeners are called once for each expected conversation.
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
   * @param feed source of the notifications. The watch always uses the completion feed of this process for `engineId`.
   *   If `ownConnectionTo` is a database address, the watch starts this feed itself. With `events`, notifications also
   *   arrive over the bus.
   * @param interval ms between two polls.
   */
  constructor(
    private readonly path: Pick<WritePath, 'read'>,
    private readonly feed: {
      readonly engineId: string;
      readonly ownConnectionTo: string | undefined;
      readonly events?: ShardEvents | undefined;
    },
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
    this.feed.events?.expect(id);
    if (this.#expected.size > capacity) this.forget(this.#expected.values().next().value!);
  }

  forget(id: string): void {
    if (this.#expected.delete(id)) this.feed.events?.forget(id);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#expected.clear();
    this.#unfollow();
    await this.#feed?.close();
  }

  #completed(id: string): void {
    if (!this.#expected.has(id)) return;
    this.forget(id);
    for (const listener of this.#listeners) listener(id);
  }

  async #poll(): Promise<void> {
    if (this.#polling || this.#expected.size === 0) return;
    this.#polling = true;
    try {
      const asked = [...this.#expected].slice(0, pollBatch);
      const settled = await this.path.read((sql) => settledConversations(sql, asked));
      // `settled` is null if the database is not reachable. The next poll then asks again.
      for (const id of settled ?? []) this.#completed(id);
      // The conversations of this poll move to the end of the set, so that the next poll checks the other conversations
      // first. Otherwise deleted conversations, which are never completed, could fill all polls.
      for (const id of asked) if (this.#expected.delete(id)) this.#expected.add(id);
    } finally {
      this.#polling = false;
    }
  }
}

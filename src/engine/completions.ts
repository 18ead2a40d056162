import type { Journal } from '../journal/journal.js';
import { memoryCreated, memoryProcessingStarted } from './server-events.js';

export interface Listener {
  send(text: string): void;
}

interface Watch {
  readonly listeners: Set<Listener>;
  /** Resolves when the start of processing has been told: completion must not overtake it. */
  readonly started: Promise<void>;
  readonly tell: () => void;
}

/**
 * Who is told that a conversation was processed: the sockets that were open on it when it ended, as long as they stay
 * open.
 */
export class Completions {
  readonly #journal: Pick<Journal, 'conversation' | 'onCompleted'>;
  readonly #watches = new Map<string, Watch>();

  constructor(journal: Pick<Journal, 'conversation' | 'onCompleted'>) {
    this.#journal = journal;
    journal.onCompleted((id) => void this.#completed(id));
  }

  get size(): number {
    return this.#watches.size;
  }

  /** Begins to watch. Called before the conversation is handed over, since the answer may come at once. */
  expect(id: string, listeners: Iterable<Listener>): void {
    let tell = (): void => undefined;
    const started = new Promise<void>((resolve) => {
      tell = resolve;
    });
    this.#watches.set(id, { listeners: new Set(listeners), started, tell });
  }

  /** The conversation is being processed: tells its sockets. */
  async processing(id: string): Promise<void> {
    const watch = this.#watches.get(id);
    if (watch === undefined) return;
    if (watch.listeners.size > 0) {
      const memory = (await this.#journal.conversation(id).catch(() => null)) ?? { id, status: 'processing' };
      const text = memoryProcessingStarted(memory);
      for (const listener of watch.listeners) listener.send(text);
    }
    watch.tell();
    if (watch.listeners.size === 0) this.#watches.delete(id);
  }

  /** Nothing will come for this conversation. */
  cancel(id: string): void {
    this.#watches.get(id)?.tell();
    this.#watches.delete(id);
  }

  /** A socket has gone. */
  forget(listener: Listener): void {
    for (const [id, watch] of this.#watches) {
      if (watch.listeners.delete(listener) && watch.listeners.size === 0) this.cancel(id);
    }
  }

  async #completed(id: string): Promise<void> {
    const watch = this.#watches.get(id);
    if (watch === undefined) return;
    await watch.started;
    const memory = await this.#journal.conversation(id).catch(() => null);
    this.#watches.delete(id);
    if (memory === null) return;
    const text = memoryCreated(memory);
    for (const listener of watch.listeners) listener.send(text);
  }
}

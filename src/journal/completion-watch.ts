import { connectDatabase, type Sql } from '../store/database.js';
import { settledConversations } from '../store/journal.js';

/** A notification may be lost with its connection; this often (ms) the database is asked instead. */
const pollInterval = 5000;
/** Conversations waited for; over it the oldest are forgotten (their sockets are long gone). */
const capacity = 10_000;

/**
 * Tells when conversations have been completed by the pipeline: by notification, and by asking now and then. Only
 * those expected are told of, once each.
 */
export class CompletionWatch {
  readonly #sql: Sql;
  readonly #expected = new Set<string>();
  readonly #listeners: ((id: string) => void)[] = [];
  readonly #timer: NodeJS.Timeout;
  #polling = false;

  constructor(databaseUrl: string, name: string) {
    this.#sql = connectDatabase(databaseUrl, { max: 1, name });
    // Tried again by the library whenever the connection is lost; until then polling does.
    this.#sql.listen('conversation_completed', (id) => this.#completed(id)).catch(() => {});
    this.#timer = setInterval(() => void this.#poll(), pollInterval);
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
    await this.#sql.end({ timeout: 0 });
  }

  #completed(id: string): void {
    if (!this.#expected.delete(id)) return;
    for (const listener of this.#listeners) listener(id);
  }

  async #poll(): Promise<void> {
    if (this.#polling || this.#expected.size === 0) return;
    this.#polling = true;
    try {
      for (const id of await settledConversations(this.#sql, [...this.#expected].slice(0, 1000)))
        this.#completed(id);
    } catch {
      // The database is away; the next round asks again.
    } finally {
      this.#polling = false;
    }
  }
}

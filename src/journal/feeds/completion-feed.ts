import { BroadcastChannel } from 'node:worker_threads';
import { connectDatabase } from '../../store/client/index.js';

/** Returns the name of the broadcast channel that announces completed conversations to the threads of an engine. */
export const completedChannel = (engineId: string): string => `cochlea-completed-${engineId}`;

export interface CompletionFeed {
  close(): Promise<void>;
}

/** A further notification channel of the database that is followed over the same connection. */
export interface Followed {
  readonly channel: string;
  /** Called with the payload of each notification. */
  news(payload: string): void;
  /** Called each time the connection is established. Notifications sent before may be lost. */
  listening(): void;
}

/**
 * Listens for completed conversations with one database connection, and announces them to all threads of this
 * process. Notifications are missed while the connection is lost, so each shard also polls the database.
 * @param engineId id of the engine. Journals that follow this id get the announcements.
 */
export const startCompletionFeed = (
  databaseUrl: string,
  engineId: string,
  followed: readonly Followed[] = [],
): CompletionFeed => {
  const channel = new BroadcastChannel(completedChannel(engineId));
  channel.unref();
  const sql = connectDatabase(databaseUrl, { max: 1, name: 'completions' });
  // If the connection is lost, postgres.js listens again after it reconnects.
  sql.listen('conversation_completed', (id) => channel.postMessage(id)).catch(() => {});
  for (const { channel: name, news, listening } of followed)
    sql.listen(name, news, listening).catch(() => {});
  return {
    async close() {
      channel.close();
      await sql.end({ timeout: 0 });
    },
  };
};

/**
 * Calls `listener` with the id of every conversation that the feed of this process announces.
 * @returns a function that ends the subscription.
 */
export const followCompletions = (engineId: string, listener: (id: string) => void): (() => void) => {
  const channel = new BroadcastChannel(completedChannel(engineId));
  channel.onmessage = (event) => listener(String((event as { data: unknown }).data));
  channel.unref();
  return () => channel.close();
};

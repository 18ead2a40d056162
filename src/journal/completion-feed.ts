import { BroadcastChannel } from 'node:worker_threads';
import { connectDatabase } from '../store/client/index.js';

/** Name of the broadcast channel on which the threads of an engine learn of completed conversations. */
const channelOf = (engineId: string): string => `cochlea-completed-${engineId}`;

export interface CompletionFeed {
  close(): Promise<void>;
}

/** Another channel that is listened to with the same connection. */
export interface Followed {
  readonly channel: string;
  /** Called with what was told. */
  news(payload: string): void;
  /** Called whenever the connection was made: what was told before is lost. */
  listening(): void;
}

/**
 * Listens for completed conversations with one database connection and tells all threads of this process. Completions are
 * missed while the connection is lost, so each shard also asks the database from time to time.
 * @param engineId journals that have the same engine id are told.
 */
export const startCompletionFeed = (
  databaseUrl: string,
  engineId: string,
  followed: readonly Followed[] = [],
): CompletionFeed => {
  const channel = new BroadcastChannel(channelOf(engineId));
  channel.unref();
  const sql = connectDatabase(databaseUrl, { max: 1, name: 'completions' });
  // The library listens again whenever the connection was lost.
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
 * Calls back with the id of every conversation that the feed of this process announces.
 * @returns a function that ends it.
 */
export const followCompletions = (engineId: string, listener: (id: string) => void): (() => void) => {
  const channel = new BroadcastChannel(channelOf(engineId));
  channel.onmessage = (event) => listener(String((event as { data: unknown }).data));
  channel.unref();
  return () => channel.close();
};

import { BroadcastChannel } from 'node:worker_threads';
import { connectDatabase } from '../store/database.js';

/** What the threads of an engine call the channel on which completed conversations are told. */
const channelOf = (engineId: string): string => `cochlea-completed-${engineId}`;

export interface CompletionFeed {
  close(): Promise<void>;
}

/**
 * Listens for completed conversations with one connection and tells all threads of this process. While the connection
 * is lost nothing is told; each shard asks the database now and then as well.
 * @param engineId the engine's: journals with the same id are told.
 */
export const startCompletionFeed = (databaseUrl: string, engineId: string): CompletionFeed => {
  const channel = new BroadcastChannel(channelOf(engineId));
  channel.unref();
  const sql = connectDatabase(databaseUrl, { max: 1, name: 'completions' });
  // Tried again by the library whenever the connection is lost.
  sql.listen('conversation_completed', (id) => channel.postMessage(id)).catch(() => {});
  return {
    async close() {
      channel.close();
      await sql.end({ timeout: 0 });
    },
  };
};

/**
 * Calls back with every conversation that the feed of this process tells.
 * @returns ends it.
 */
export const followCompletions = (engineId: string, listener: (id: string) => void): (() => void) => {
  const channel = new BroadcastChannel(channelOf(engineId));
  channel.onmessage = (event) => listener(String((event as { data: unknown }).data));
  channel.unref();
  return () => channel.close();
};

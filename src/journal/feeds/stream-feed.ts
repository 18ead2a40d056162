import { BroadcastChannel } from 'node:worker_threads';
import { hashedName } from '../../common/index.js';
import { type ConversationKey, textOfKey } from './conversation-key.js';

/** A message between a shard and the main thread. The main thread has the connection to the other engines. */
type StreamMessage =
  | { readonly kind: 'opened'; readonly user: string; readonly key: string; readonly takenAt: number }
  | { readonly kind: 'closed' | 'replaced'; readonly key: string };

/**
 * The directory of the streams of all engines, to which the main thread adds the streams of its shards. Users and keys
 * are hashes of 22 characters.
 */
export interface FleetStreams {
  opened(stream: { readonly user: string; readonly key: string; readonly takenAt: number }): void;
  closed(key: string): void;
}

/** Tells other engines about the streams of a shard. */
export interface ShardStreams {
  /**
   * Announces an open stream.
   * @param takenAt time when the stream took its conversation, in microseconds of the database's clock.
   * @param replaced called if another engine reports a newer stream of the key. The report may be wrong, so the callee
   *   checks the database.
   */
  opened(key: ConversationKey, takenAt: number, replaced: () => void): void;
  closed(key: ConversationKey): void;
  close(): void;
}

const nameOf = (key: ConversationKey): string => hashedName(textOfKey(key));

const channelOf = (engineId: string): BroadcastChannel => {
  const channel = new BroadcastChannel(`cochlea-streams-${engineId}`);
  channel.unref();
  return channel;
};

/**
 * Opens a shard's access to the directory of all streams. Needs `startStreamFeed` in the main thread of the same
 * process.
 */
export const openShardStreams = (engineId: string): ShardStreams => {
  const channel = channelOf(engineId);
  const open = new Map<string, { readonly takenAt: number; readonly replaced: () => void }>();
  const post = (message: StreamMessage): void => channel.postMessage(message);
  channel.onmessage = (event) => {
    const message = (event as { data: StreamMessage }).data;
    if (message.kind === 'replaced') open.get(message.key)?.replaced();
  };
  return {
    opened(key, takenAt, replaced) {
      const name = nameOf(key);
      if (open.get(name)?.takenAt === takenAt) return;
      open.set(name, { takenAt, replaced });
      post({ kind: 'opened', user: hashedName(key.uid), key: name, takenAt });
    },
    closed(key) {
      const name = nameOf(key);
      if (open.delete(name)) post({ kind: 'closed', key: name });
    },
    close: () => channel.close(),
  };
};

/**
 * Passes messages about streams between the shards of this process and `fleet`. The caller calls `replaced` of the
 * result if another engine may have a newer stream of a key. The shard that has a stream of this key then gets a
 * message.
 */
export const startStreamFeed = (
  engineId: string,
  fleet: FleetStreams,
): { replaced(key: string): void; close(): void } => {
  const channel = channelOf(engineId);
  channel.onmessage = (event) => {
    const message = (event as { data: StreamMessage }).data;
    if (message.kind === 'opened') {
      const { user, key, takenAt } = message;
      fleet.opened({ user, key, takenAt });
    } else if (message.kind === 'closed') fleet.closed(message.key);
  };
  return {
    replaced: (key) => channel.postMessage({ kind: 'replaced', key } satisfies StreamMessage),
    close: () => channel.close(),
  };
};

import { BroadcastChannel } from 'node:worker_threads';
import { fixedLimits } from '../../config/limits/index.js';
import type { Announcer } from '../../store/client/index.js';
import { completedChannel } from './completion-feed.js';

/** The bus as the journal uses it. */
export interface CompletionBus extends Pick<Announcer, 'publish'> {
  follow(channel: 'conversation_completed', listener: (id: string) => void, id: string): () => void;
}

/** A message of a shard to the main thread, which holds the connection to the bus. */
type ShardEvent =
  | { readonly kind: 'announced'; readonly channel: string; readonly payload: string }
  | { readonly kind: 'expected' | 'forgotten'; readonly id: string };

const eventsOf = (engineId: string): BroadcastChannel => {
  const channel = new BroadcastChannel(`cochlea-events-${engineId}`);
  channel.unref();
  return channel;
};

/** A shard's access to the bus: sends announcements, and asks to be told when conversations are completed. */
export interface ShardEvents extends Announcer {
  expect(id: string): void;
  forget(id: string): void;
  close(): void;
}

/** Opens a shard's access to the bus. Needs `startEventFeed` in the main thread of the same process. */
export const openShardEvents = (engineId: string): ShardEvents => {
  const events = eventsOf(engineId);
  const post = (event: ShardEvent): void => events.postMessage(event);
  return {
    // Shards only announce conversations that wait for a summary.
    carries: (channel) => channel === 'conversation_finished',
    publish: (channel, payload) => post({ kind: 'announced', channel, payload }),
    expect: (id) => post({ kind: 'expected', id }),
    forget: (id) => post({ kind: 'forgotten', id }),
    close: () => events.close(),
  };
};

/**
 * Sends announcements of this process's shards over the bus, and reports to the shards when conversations that they
 * wait for are completed. If the shards wait for too many conversations, the oldest is no longer followed. Shards also
 * poll the database, so a lost event only delays the report.
 */
export const startEventFeed = (engineId: string, bus: CompletionBus): { close(): void } => {
  const events = eventsOf(engineId);
  const completed = new BroadcastChannel(completedChannel(engineId));
  completed.unref();
  const followed = new Map<string, () => void>();
  const end = (id: string): void => {
    followed.get(id)?.();
    followed.delete(id);
  };
  const follow = (id: string): void => {
    if (followed.has(id)) return;
    const told = (): void => {
      end(id);
      completed.postMessage(id);
    };
    followed.set(id, bus.follow('conversation_completed', told, id));
    if (followed.size > fixedLimits.followedCompletions.value) end(followed.keys().next().value!);
  };
  events.onmessage = (message) => {
    const event = (message as { data: ShardEvent }).data;
    if (event.kind === 'announced') bus.publish(event.channel, event.payload);
    else if (event.kind === 'expected') follow(event.id);
    else end(event.id);
  };
  return {
    close() {
      events.close();
      for (const id of [...followed.keys()]) end(id);
      completed.close();
    },
  };
};

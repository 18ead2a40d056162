import { BroadcastChannel } from 'node:worker_threads';
import type { MetricsRow } from '../../metrics/index.js';

/** The bus as the journal uses it for copies of spilled entries. */
export interface CopyBus {
  readonly ready: boolean;
  onReady(listener: (ready: boolean) => void): void;
  /** @returns the sequence of the copy in the stream; undefined if the stream did not confirm it. */
  store(journal: string, copy: Uint8Array): Promise<number | undefined>;
}

/** A message of a shard to the main thread, which holds the connection to the bus. */
type ShardMessage =
  | { readonly kind: 'asked' }
  | { readonly kind: 'copy'; readonly journal: string; readonly number: number; readonly copy: Uint8Array }
  | { readonly kind: 'refusing'; readonly refuses: boolean };

/** A message of the main thread to a shard. */
type MainMessage =
  | { readonly kind: 'ready'; readonly ready: boolean }
  | {
      readonly kind: 'stored';
      readonly journal: string;
      readonly number: number;
      readonly sequence: number | undefined;
    };

/** Each shard has its own channel, so that a copy is not also sent to all other shards. */
const channelOf = (engineId: string, shard: number): BroadcastChannel => {
  const channel = new BroadcastChannel(`cochlea-copies-${engineId}-${shard}`);
  channel.unref();
  return channel;
};

/** A shard's access to the stream of spilled entries, through the main thread. */
export interface CopyChannel extends CopyBus {
  /** Tells the main thread whether this shard refuses to acknowledge words. */
  refusing(refuses: boolean): void;
  close(): void;
}

/**
 * Opens a shard's access to the stream of spilled entries. Needs `startCopyFeed` in the main thread of the same
 * process.
 */
export const openCopyChannel = (engineId: string, shard: number): CopyChannel => {
  const channel = channelOf(engineId, shard);
  const post = (message: ShardMessage): void => channel.postMessage(message);
  const waiting = new Map<string, (sequence?: number) => void>();
  const listeners: ((ready: boolean) => void)[] = [];
  let ready = false;
  let number = 0;
  channel.onmessage = (event) => {
    const message = (event as { data: MainMessage }).data;
    if (message.kind === 'ready') {
      ready = message.ready;
      for (const listener of listeners) listener(ready);
      return;
    }
    const key = `${message.journal} ${message.number}`;
    waiting.get(key)?.(message.sequence);
    waiting.delete(key);
  };
  post({ kind: 'asked' });
  return {
    get ready() {
      return ready;
    },
    onReady: (listener) => void listeners.push(listener),
    store: (journal, copy) =>
      new Promise((resolve) => {
        waiting.set(`${journal} ${++number}`, resolve);
        post({ kind: 'copy', journal, number, copy });
      }),
    refusing: (refuses) => post({ kind: 'refusing', refuses }),
    close: () => {
      channel.close();
      for (const resolve of waiting.values()) resolve();
      waiting.clear();
    },
  };
};

export interface CopyFeed {
  /** Whether a shard refuses to acknowledge words, because they are only on the disk of this machine. */
  readonly refuses: boolean;
  close(): void;
}

/** Stores copies from the shards of this process in the stream, and tells the shards whether the stream is ready. */
export const startCopyFeed = (
  engineId: string,
  shards: number,
  bus: CopyBus,
  metrics: MetricsRow,
): CopyFeed => {
  const refusing = new Set<number>();
  const channels = Array.from({ length: shards }, (_, shard) => {
    const channel = channelOf(engineId, shard);
    const post = (message: MainMessage): void => channel.postMessage(message);
    const store = async (journal: string, number: number, copy: Uint8Array): Promise<void> => {
      const sequence = await bus.store(journal, copy);
      metrics.add(sequence === undefined ? 'spill_copies_failed_total' : 'spill_copies_total');
      post({ kind: 'stored', journal, number, sequence });
    };
    channel.onmessage = (event) => {
      const message = (event as { data: ShardMessage }).data;
      if (message.kind === 'copy') void store(message.journal, message.number, message.copy);
      else if (message.kind === 'asked') {
        // A shard sends `asked` when it starts. At this time, the shard does not refuse words yet.
        refusing.delete(shard);
        post({ kind: 'ready', ready: bus.ready });
      } else if (message.refuses) refusing.add(shard);
      else refusing.delete(shard);
      metrics.set('spill_refusing', refusing.size);
    };
    return { channel, post };
  });
  const tell = (ready: boolean): void => {
    metrics.set('spill_copies_ready', Number(ready));
    for (const { post } of channels) post({ kind: 'ready', ready });
  };
  bus.onReady(tell);
  tell(bus.ready);
  return {
    get refuses() {
      return refusing.size > 0;
    },
    close: () => {
      for (const { channel } of channels) channel.close();
      channels.length = 0;
    },
  };
};

import type { MessagePort } from 'node:worker_threads';
import type { Settings } from '../../config/index.js';
import type { ErrorCode, ErrorDetails } from '../../errors/index.js';

/**
 * What serves a shard over a port of its own: transcribes utterances, stores retained audio, tells voices apart, stores images, judges samples
 * of streams, translates segments.
 */
export const shardHelpers = [
  'transcriber',
  'retained',
  'voices',
  'images',
  'readability',
  'translations',
] as const;
export type ShardHelperName = (typeof shardHelpers)[number];

/** Ports of a shard: those of its helpers, that of the front, and that of its pool. */
export type ShardPortName = ShardHelperName | 'front' | 'control';

/** What a worker is given. Ports are transferred. */
export interface ShardTask {
  readonly index: number;
  readonly slots: number;
  readonly settings: Settings;
  readonly databaseUrl: string;
  readonly spillDir: string;
  readonly engineId: string;
  /** Wanted for the thread. */
  readonly niceness: number;
  readonly metrics: SharedArrayBuffer;
  /** One int32, shared by all shards: how often the spill of a lost shard was set free to be replayed. */
  readonly surrenders: SharedArrayBuffer;
  readonly ring: SharedArrayBuffer;
  readonly ports: Readonly<Record<ShardPortName, MessagePort>>;
}

/** Over the control port: from the worker when it serves, cannot, or will not any longer; to the worker to end it. */
export type ControlMessage =
  | { readonly kind: 'started'; readonly core: 'native' | 'portable'; readonly isa: string }
  | {
      readonly kind: 'failed';
      readonly failure: { readonly code: ErrorCode; readonly details: ErrorDetails };
    }
  | { readonly kind: 'stop' };

export type Started = Extract<ControlMessage, { kind: 'started' }>;

import type { MessagePort } from 'node:worker_threads';
import type { Settings } from '../../config/index.js';
import type { ErrorCode, ErrorDetails } from '../../errors/index.js';

/**
 * Helpers that serve a shard, each over its own port. In order: transcribes utterances, stores retained audio, diarizes, stores images,
 * judges samples of streams, translates segments.
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

/** Ports of a shard: one for each helper, `front` to the front, and `control` to its pool. */
export type ShardPortName = ShardHelperName | 'front' | 'control';

/** The task of a shard's worker thread. Ports are transferred. */
export interface ShardTask {
  readonly index: number;
  readonly slots: number;
  readonly settings: Settings;
  readonly databaseUrl: string;
  readonly spillDir: string;
  readonly engineId: string;
  /** Wanted niceness of the thread. */
  readonly niceness: number;
  readonly metrics: SharedArrayBuffer;
  /** One int32, shared by all shards: counts how often the spill of a lost shard was released for replay. */
  readonly surrenders: SharedArrayBuffer;
  readonly ring: SharedArrayBuffer;
  readonly ports: Readonly<Record<ShardPortName, MessagePort>>;
}

/** Messages of the control port. The worker sends `started` when it serves and `failed` when it fails; the pool sends `stop`. */
export type ControlMessage =
  | { readonly kind: 'started'; readonly core: 'native' | 'portable'; readonly isa: string }
  | {
      readonly kind: 'failed';
      readonly failure: { readonly code: ErrorCode; readonly details: ErrorDetails };
    }
  | { readonly kind: 'stop' };

export type Started = Extract<ControlMessage, { kind: 'started' }>;

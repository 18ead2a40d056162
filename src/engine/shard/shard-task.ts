import type { MessagePort } from 'node:worker_threads';
import type { Settings } from '../../config/index.js';
import type { ErrorCode, ErrorDetails } from '../../errors/index.js';

/**
 * Names of the helpers that serve a shard, each over its own port. In the order of this list, the helpers transcribe
 * utterances, store retained audio, diarize, store images, judge samples of streams, and translate segments.
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

/** Names of a shard's ports: one for each helper, `front` to the front, and `control` to the pool of shard threads. */
export type ShardPortName = ShardHelperName | 'front' | 'control';

/** The task of a shard's worker thread. The ports are transferred to the thread. */
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
  /** Shared counter of all shards, one int32: the number of times that a lost shard's spill was released for replay. */
  readonly surrenders: SharedArrayBuffer;
  /** Correction of the wall clock in ms, one int32. */
  readonly clockCorrection: SharedArrayBuffer;
  readonly ring: SharedArrayBuffer;
  readonly ports: Readonly<Record<ShardPortName, MessagePort>>;
}

/**
 * Messages of the control port. The worker sends `started` when it serves, or `failed` when it could not start. The
 * pool sends `stop`.
 */
export type ControlMessage =
  | { readonly kind: 'started'; readonly core: 'native' | 'portable'; readonly isa: string }
  | {
      readonly kind: 'failed';
      readonly failure: { readonly code: ErrorCode; readonly details: ErrorDetails };
    }
  | { readonly kind: 'stop' };

export type Started = Extract<ControlMessage, { kind: 'started' }>;

import type { MessagePort } from 'node:worker_threads';
import type { Settings } from '../../config/index.js';
import type { ErrorCode, ErrorDetails } from '../../errors/index.js';

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
  readonly frontPort: MessagePort;
  readonly transcriberPort: MessagePort;
  /** To the store of retained audio. */
  readonly retainPort: MessagePort;
  /** To the jobs pool, which tells voices apart. */
  readonly voicesPort: MessagePort;
  /** To what stores images. */
  readonly imagesPort: MessagePort;
  /** To the thread that translates. */
  readonly translationsPort: MessagePort;
  /** To what judges samples of streams. */
  readonly readabilityPort: MessagePort;
  readonly controlPort: MessagePort;
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

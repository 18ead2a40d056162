import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { type Settings, shardCount } from '../config/index.js';
import { CochleaError, type ErrorCode, type ErrorDetails } from '../errors/index.js';
import type { Logger } from '../log/index.js';
import type { MetricsTable } from '../metrics/index.js';
import { createRing } from '../ring/index.js';

/** What the pool needs of the transcriber: each shard gets a channel to it. */
export interface TranscriberDoor {
  attach(port: MessagePort): void;
}

export interface EnginePoolOptions {
  readonly settings: Settings;
  readonly databaseUrl: string;
  /** Folder below which the shards' spills lie. */
  readonly dataDir: string;
  /** Names this engine in leases; another engine's leases are not touched before they expire. */
  readonly engineId: string;
  /** Row 1 + n is shard n's. */
  readonly metrics: MetricsTable;
  readonly transcriber: TranscriberDoor;
  readonly log: Logger;
}

/** One shard as the front sees it. */
export interface EngineLink {
  /** Written by the front, read by the shard. */
  readonly ring: SharedArrayBuffer;
  /** Carries arrays of `ShardMessage` to the front. Ends when the shard has, after its last message. */
  readonly port: MessagePort;
  /** Resolves when the shard is gone without having been asked to stop; its sessions are lost. */
  readonly dead: Promise<void>;
}

export interface EnginePool {
  readonly links: readonly EngineLink[];
  /** Streams a shard holds; slots are numbered from 0. */
  readonly slotsPerShard: number;
  /** Which audio core the shards run, and the instruction set of its detector. */
  readonly core: 'native' | 'portable';
  readonly isa: string;
  /**
   * Ends the shards, after the front saw them all drained (a shard that was not drained drains first): journals are
   * replayed and closed, workers return from their task; none is terminated while it runs. Idempotent.
   */
  stop(): Promise<void>;
}

/** What a worker is given. Ports are transferred. */
export interface ShardTask {
  readonly index: number;
  readonly slots: number;
  readonly settings: Settings;
  readonly databaseUrl: string;
  readonly spillDir: string;
  readonly engineId: string;
  readonly metrics: SharedArrayBuffer;
  readonly ring: SharedArrayBuffer;
  readonly frontPort: MessagePort;
  readonly transcriberPort: MessagePort;
  readonly controlPort: MessagePort;
}

/** Over the control port: from the worker when it serves or cannot; to the worker to end it. */
export type ControlMessage =
  | { readonly kind: 'started'; readonly core: 'native' | 'portable'; readonly isa: string }
  | {
      readonly kind: 'failed';
      readonly failure: { readonly code: ErrorCode; readonly details: ErrorDetails };
    }
  | { readonly kind: 'stop' };

type Started = Extract<ControlMessage, { kind: 'started' }>;

/**
 * Space for young objects in a shard's thread, in MB. A frame allocates next to nothing there, so more would only be
 * touched, little by little, and stay resident.
 */
const youngGeneration = 6;

/** Sockets are spread by hash, so a shard must hold somewhat more than its share. */
const unevenness = 1.25;

/**
 * Starts the shards: a piscina pool in which every worker runs one task for as long as the engine lives.
 * Resolves once all of them serve.
 * @throws whatever kept a shard from starting, for example CochleaError core_unavailable.
 */
export const startEnginePool = async (options: EnginePoolOptions): Promise<EnginePool> => {
  const { settings, metrics, transcriber, log } = options;
  const shards = shardCount(settings);
  const slotsPerShard =
    shards === 1 ? settings.maxStreams : Math.ceil((settings.maxStreams / shards) * unevenness) + 8;
  const pool = new Piscina({
    filename: fileURLToPath(new URL('./shard-worker.js', import.meta.url)),
    name: 'runShard',
    minThreads: shards,
    maxThreads: shards,
    idleTimeout: Number.POSITIVE_INFINITY,
    // Sockets and timers of a task live in its thread; parking it between tasks gains nothing here.
    atomics: 'disabled',
    resourceLimits: { maxYoungGenerationSizeMb: youngGeneration },
  });

  let serving = false;
  let stopping = false;
  /** Why a shard ended that had started, while others had not yet. */
  let early: Error | undefined;
  const running = Array.from({ length: shards }, (_, index) => {
    const front = new MessageChannel();
    const speech = new MessageChannel();
    const control = new MessageChannel();
    transcriber.attach(speech.port1);
    const ring = createRing(settings.ringSize);
    const task: ShardTask = {
      index,
      slots: slotsPerShard,
      settings,
      databaseUrl: options.databaseUrl,
      spillDir: join(options.dataDir, 'spill'),
      engineId: options.engineId,
      metrics: metrics.buffer,
      ring,
      frontPort: front.port2,
      transcriberPort: speech.port2,
      controlPort: control.port2,
    };
    const finished: Promise<void> = pool.run(task, {
      transferList: [front.port2, speech.port2, control.port2],
    });
    const started = new Promise<Started>((resolve, reject) => {
      control.port1.on('message', (message: ControlMessage) => {
        if (message.kind === 'started') resolve(message);
        else if (message.kind === 'failed') reject(CochleaError.fromJSON(message.failure));
      });
      // Behind the message that names the cause, which is already in the port when the task rejects.
      finished.catch((thrown: unknown) => setImmediate(reject, thrown));
    });
    started.catch(() => undefined);
    const dead = new Promise<void>((resolve) => {
      const ended = (thrown: unknown): void => {
        if (stopping) return;
        // Until all serve, whoever starts the pool hears of it directly.
        if (serving) log.fatal({ shard: index, err: thrown }, 'shard died');
        else early = new Error(`shard ${index} ended`, { cause: thrown });
        resolve();
      };
      finished.then(() => ended(new Error('it returned')), ended);
    });
    const link: EngineLink = { ring, port: front.port1, dead };
    return { link, control: control.port1, finished, started };
  });

  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    stopping = true;
    for (const { control } of running) control.postMessage({ kind: 'stop' } satisfies ControlMessage);
    const ends = await Promise.allSettled(running.map(({ finished }) => finished));
    for (const { control } of running) control.close();
    for (const end of ends) {
      if (end.status === 'rejected' && serving) log.error({ err: end.reason }, 'shard ended with an error');
    }
    // Every task has returned: what piscina ends here are threads with nothing left in them.
    await pool.close();
  };

  let first: Started | undefined;
  try {
    [first] = await Promise.all(running.map(({ started }) => started));
    if (early !== undefined) throw early;
  } catch (thrown) {
    stopped = stop();
    await stopped;
    throw thrown;
  }
  serving = true;
  return {
    links: running.map(({ link }) => link),
    slotsPerShard,
    core: first!.core,
    isa: first!.isa,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
};

// Keeps the native addon loaded on the main thread. Otherwise it is unloaded when the last thread that uses it
// ends, and this addon then crashes.
import '@evan/opus';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MessagePort } from 'node:worker_threads';
import { deferred } from '../../common/index.js';
import { type Settings, shardCount } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { SpillFolders } from '../../journal/index.js';
import type { Logger } from '../../log/index.js';
import type { MetricsTable } from '../../metrics/index.js';
import { RecordKind, RingConsumer } from '../../ring/index.js';
import type { ShardLink } from '../../wire/index.js';
import { ShardPlace } from './shard-place.js';
import { ShardThread } from './shard-thread.js';

/** A helper on the main thread that serves shards. */
export interface ShardHelper {
  /** Starts to serve a shard over its port. */
  attach(port: MessagePort): void;
}

export interface EnginePoolOptions {
  readonly settings: Settings;
  readonly databaseUrl: string;
  /** Data folder; it contains the shards' spills. */
  readonly dataDir: string;
  /** Id of this engine. It is a part of the names of the journals that own conversations. */
  readonly engineId: string;
  /**
   * Wanted niceness of the shard threads. It applies if the operating system allows the process to set it. Default:
   * the niceness of the calling thread.
   */
  readonly niceness?: number;
  /** Correction of the wall clock in ms, stored as one int32. If it is absent, the clock is not corrected. */
  readonly clockCorrection?: SharedArrayBuffer;
  /** Row 0 contains the metrics of the main thread. Row 1 + n contains the metrics of shard n. */
  readonly metrics: MetricsTable;
  /**
   * Transcribes utterances. When a shard's port closes, the helper retains the utterances of that shard that still wait
   * for transcription.
   */
  readonly transcriber: ShardHelper;
  /** Stores audio that no provider accepted. */
  readonly retained: ShardHelper;
  /** Diarizes by voice; absent if diarization is disabled. */
  readonly voices?: ShardHelper | undefined;
  /** Stores images; if absent, images are refused. */
  readonly images?: ShardHelper | undefined;
  /** Checks whether audio is readable; absent if the check is disabled. */
  readonly readability?: ShardHelper | undefined;
  /** Translates segments; absent if translation is disabled. */
  readonly translations?: ShardHelper | undefined;
  readonly log: Logger;
  /**
   * Path of the module that exports the function `runShard`, which each thread runs. Tests replace it with a faulty
   * module.
   */
  readonly module?: string;
}

export interface EnginePool {
  /** Links to the current shards, by shard number. */
  readonly links: readonly ShardLink[];
  /** Maximum number of streams of a shard. Their slots are numbered from 0. */
  readonly slotsPerShard: number;
  /** The audio core of the shards. */
  readonly core: 'native' | 'portable';
  /** The instruction set of the core's detector. */
  readonly isa: string;
  /** Resolves when the process must be restarted, because lost shards cannot be replaced or too many threads hang. */
  readonly broken: Promise<void>;
  /** Whether some threads hang and cannot be ended. The process must then be killed after `stop`. */
  readonly stuck: boolean;
  /**
   * Registers the listener for replaced shards. The listener is also called for replacements before this call.
   * @param listener called with the shard's number and its new link.
   */
  onReplaced(listener: (number: number, link: ShardLink) => void): void;
  /**
   * Ends the shards. Call it after the front has seen that all shards are drained. If a shard is not drained yet, it
   * drains first. Journals are replayed and closed, and each worker's task returns without being interrupted.
   * Idempotent.
   */
  stop(): Promise<void>;
}

/**
 * Ratio of a shard's slots to its equal share of streams. It exceeds 1 because a hash distributes the sockets, so
 * that some shards get more than their share.
 */
const unevenness = 1.25;
/** If no shard serves after this many consecutive failed starts, the pool counts as broken. */
const mostFailures = 5;

/** Returns the number of unread frames in the ring of a lost shard. */
const framesIn = (ring: SharedArrayBuffer): number => {
  let frames = 0;
  new RingConsumer(ring).drain((kind) => {
    if (kind === RecordKind.audio) frames++;
  });
  return frames;
};

/** State that the shards of a pool share. */
interface PoolState {
  readonly options: EnginePoolOptions;
  readonly slotsPerShard: number;
  readonly spillDir: string;
  readonly niceness: number;
  /** Number of times that a lost shard's spill was released for replay. */
  readonly surrenders: Int32Array;
  /** Threads that may still run. */
  readonly threads: Set<ShardThread>;
  /** Resolves `broken`. */
  readonly breakDown: () => void;
  /** Number of threads that hang and cannot be ended. */
  abandoned: number;
  /** Number of failed starts in a row. */
  failures: number;
  /** Replacement shards, by shard number, that were not yet reported because no listener is registered. */
  readonly replaced: Map<number, ShardLink>;
  listener: ((number: number, link: ShardLink) => void) | undefined;
}

const beginShard = (state: PoolState, index: number): ShardThread => {
  const { options, threads } = state;
  const { settings, databaseUrl, engineId, metrics } = options;
  for (const thread of threads) if (thread.exited) threads.delete(thread);
  const task = {
    index,
    slots: state.slotsPerShard,
    settings,
    databaseUrl,
    spillDir: state.spillDir,
    engineId,
    niceness: state.niceness,
    metrics: metrics.buffer,
    surrenders: state.surrenders.buffer as SharedArrayBuffer,
    clockCorrection: options.clockCorrection ?? new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
  };
  const thread = new ShardThread({
    task,
    ringSize: settings.ringSize,
    module: options.module ?? fileURLToPath(new URL('../shard/shard-worker.js', import.meta.url)),
    attach: (name, port) => {
      const helper = options[name];
      if (helper === undefined) port.close();
      else helper.attach(port);
    },
  });
  threads.add(thread);
  return thread;
};

/** Counts a hanging thread as abandoned until it ends. */
const abandon = (state: PoolState, gone: Promise<void>): void => {
  const { metrics, log } = state.options;
  const counters = metrics.row(0);
  counters.set('shards_abandoned', ++state.abandoned);
  if (state.abandoned > fixedLimits.abandonedShards.value) {
    log.fatal(
      { abandoned: state.abandoned },
      'too many threads hang and cannot be ended: the engine restarts',
    );
    state.breakDown();
  }
  void gone.then(() => counters.set('shards_abandoned', --state.abandoned));
};

/** Counts a lost shard, and the speech and frames that were lost with it. */
const countLoss = (
  { options: { metrics, log } }: PoolState,
  index: number,
  ring: SharedArrayBuffer,
): void => {
  const counters = metrics.row(0);
  counters.add('shards_lost_total');
  counters.add('shards_serving', -1);
  const speech = metrics.row(1 + index).get('speech_held_milliseconds');
  const frames = framesIn(ring);
  counters.add('speech_lost_milliseconds_total', speech);
  counters.add('ring_frames_lost_total', frames);
  log.warn({ shard: index, speech, frames }, 'speech and frames were lost with a shard');
  metrics.clearGauges(1 + index);
};

const placeOf = (state: PoolState, index: number): ShardPlace => {
  const { metrics, log, engineId } = state.options;
  const counters = metrics.row(0);
  return new ShardPlace({
    index,
    log,
    begin: () => beginShard(state, index),
    surrender: async (exited) => {
      try {
        await new SpillFolders(state.spillDir, engineId, index).surrender(exited);
      } finally {
        Atomics.add(state.surrenders, 0, 1);
      }
    },
    lost: (exited, gone, ring) => {
      countLoss(state, index, ring);
      if (!exited) abandon(state, gone);
    },
    replaced: (link) => {
      state.failures = 0;
      counters.add('shards_replaced_total');
      counters.add('shards_serving');
      if (state.listener === undefined) state.replaced.set(index, link);
      else state.listener(index, link);
    },
    notReplaced: (gone) => {
      metrics.clearGauges(1 + index);
      if (gone !== undefined) abandon(state, gone);
      if (++state.failures >= mostFailures && counters.get('shards_serving') === 0) state.breakDown();
    },
  });
};

/** Returns the number of slots of each shard. */
const slotsOf = ({ maxStreams }: Settings, shards: number): number =>
  shards === 1 ? maxStreams : Math.ceil((maxStreams / shards) * unevenness) + 8;

/**
 * Starts the shards. Each shard is a piscina worker with a single task, which lasts as long as the shard. A new thread
 * with a new ring, ports and core replaces a lost shard, and replays its spill. Resolves when all shards serve.
 * @throws the error that prevented a shard from starting, for example CochleaError core_unavailable.
 */
export const startEnginePool = async (options: EnginePoolOptions): Promise<EnginePool> => {
  const { settings, metrics, niceness = getPriority() } = options;
  const shards = shardCount(settings);
  const { promise: broken, resolve: breakDown } = deferred();
  const state: PoolState = {
    options,
    slotsPerShard: slotsOf(settings, shards),
    spillDir: join(options.dataDir, 'spill'),
    niceness,
    surrenders: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
    threads: new Set(),
    breakDown,
    abandoned: 0,
    failures: 0,
    replaced: new Map(),
    listener: undefined,
  };
  const places = Array.from({ length: shards }, (_, index) => placeOf(state, index));

  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await Promise.all(places.map((place) => place.stop()));
  };

  const starting = Promise.all(places.map(({ started }) => started));
  const [first] = await starting.catch(async (thrown: unknown) => {
    stopped = stop();
    await stopped;
    throw thrown;
  });
  metrics.row(0).add('shards_serving', shards);
  return {
    links: places.map(({ link }) => link),
    slotsPerShard: state.slotsPerShard,
    core: first!.core,
    isa: first!.isa,
    broken,
    get stuck() {
      return [...state.threads].some(({ exited }) => !exited);
    },
    onReplaced(told) {
      state.listener = told;
      for (const [index, link] of state.replaced) told(index, link);
      state.replaced.clear();
    },
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
};

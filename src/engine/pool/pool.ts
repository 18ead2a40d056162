// The end of a thread unloads a native addon that no other thread holds, and this one crashes then: the main thread holds it.
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

/** What serves shards. */
export interface ShardHelper {
  /** Takes a shard's port. */
  attach(port: MessagePort): void;
}

export interface EnginePoolOptions {
  readonly settings: Settings;
  readonly databaseUrl: string;
  /** Folder below which the shards' spills lie. */
  readonly dataDir: string;
  /** Names this engine in leases; another engine's leases are not touched before they expire. */
  readonly engineId: string;
  /** Wanted for the threads of the shards, where the process may set it. By default that of the calling thread. */
  readonly niceness?: number;
  /** Row 1 + n is shard n's; row 0 the main thread's. */
  readonly metrics: MetricsTable;
  /** Transcribes utterances. When a port closes, what still waits for its shard is retained. */
  readonly transcriber: ShardHelper;
  /** Stores audio that no provider took. */
  readonly retained: ShardHelper;
  /** Absent where voices are not told apart. */
  readonly voices?: ShardHelper | undefined;
  /** Absent where no images are stored: they are refused. */
  readonly images?: ShardHelper | undefined;
  /** Absent where streams are not looked at. */
  readonly readability?: ShardHelper | undefined;
  /** Absent where nothing is translated. */
  readonly translations?: ShardHelper | undefined;
  readonly log: Logger;
  /** Module whose `runShard` the threads run; tests put one that misbehaves here. */
  readonly module?: string;
}

export interface EnginePool {
  /** By the numbers of the shards, as they are now. */
  readonly links: readonly ShardLink[];
  /** Streams a shard holds; slots are numbered from 0. */
  readonly slotsPerShard: number;
  /** Which audio core the shards run, and the instruction set of its detector. */
  readonly core: 'native' | 'portable';
  readonly isa: string;
  /** Resolves when shards are lost faster than they can be replaced: only a new process helps. */
  readonly broken: Promise<void>;
  /** Whether threads hang that cannot be ended: after `stop` this process can only be killed. */
  readonly stuck: boolean;
  /**
   * Tells of every shard that takes the place of a lost one, those included that did so before the call.
   * @param listener is given the number of the shard.
   */
  onReplaced(listener: (number: number, link: ShardLink) => void): void;
  /**
   * Ends the shards, after the front saw them all drained (a shard that was not drained drains first): journals are
   * replayed and closed, workers return from their task; none that does so is interrupted. Idempotent.
   */
  stop(): Promise<void>;
}

/** Sockets are spread by hash, so a shard must hold somewhat more than its share. */
const unevenness = 1.25;
/** Starts in a row that may fail while no shard serves before the process is taken for broken. */
const mostFailures = 5;

/** Frames in a ring that its reader has not taken and never will. */
const framesIn = (ring: SharedArrayBuffer): number => {
  let frames = 0;
  new RingConsumer(ring).drain((kind) => {
    if (kind === RecordKind.audio) frames++;
  });
  return frames;
};

/** What the shards of a pool share. */
interface PoolState {
  readonly options: EnginePoolOptions;
  readonly slotsPerShard: number;
  readonly spillDir: string;
  readonly niceness: number;
  /** Counts the spills of lost shards that others may have. */
  readonly surrenders: Int32Array;
  /** Threads that are not known to be gone. */
  readonly threads: Set<ShardThread>;
  /** Says that only a new process helps. */
  readonly breakDown: () => void;
  /** Threads that hang where they cannot be ended. */
  abandoned: number;
  /** Starts in a row that have failed. */
  failures: number;
  /** Shards that took the place of lost ones before there was a listener. */
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

/** Counts a thread that cannot be ended until it is gone. */
const abandon = (state: PoolState, gone: Promise<void>): void => {
  const { metrics, log } = state.options;
  const counters = metrics.row(0);
  counters.set('shards_abandoned', ++state.abandoned);
  if (state.abandoned > fixedLimits.abandonedShards.value) {
    log.fatal(
      { abandoned: state.abandoned },
      'too many threads hang where they cannot be ended: the engine starts anew',
    );
    state.breakDown();
  }
  void gone.then(() => counters.set('shards_abandoned', --state.abandoned));
};

/** Counts what a lost shard has cost. */
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
  log.warn({ shard: index, speech, frames }, 'what a lost shard held and could not retain');
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

/** Streams that each of so many shards can hold. */
const slotsOf = ({ maxStreams }: Settings, shards: number): number =>
  shards === 1 ? maxStreams : Math.ceil((maxStreams / shards) * unevenness) + 8;

/**
 * Starts the shards: piscina workers, each of which runs one task for as long as its shard lives. A shard that is lost
 * is replaced by a new thread with a ring, ports and a core of its own, which replays what the lost one had spilled.
 * Resolves once all of them serve.
 * @throws whatever kept a shard from starting, for example CochleaError core_unavailable.
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

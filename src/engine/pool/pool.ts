import { getPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MessagePort } from 'node:worker_threads';
import { type Settings, shardCount } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { SpillFolders } from '../../journal/index.js';
import type { Logger } from '../../log/index.js';
import type { MetricsTable } from '../../metrics/index.js';
import { RecordKind, RingConsumer } from '../../ring/index.js';
import { type EngineLink, ShardPlace } from './shard-place.js';
import { ShardThread } from './shard-thread.js';

/** What the pool needs of the transcriber: each shard gets a channel to it. */
export interface TranscriberPorts {
  /** Takes a shard's port. When it closes, what still waits for that shard is retained. */
  attach(port: MessagePort): void;
}

/** What the pool needs of the store of retained audio. */
export interface RetainedPorts {
  /** Takes a shard's port, on which audio comes that no provider took. */
  attach(port: MessagePort): void;
}

/** What the pool needs of the jobs pool. */
export interface VoicePorts {
  /** Takes a shard's port, on which utterances come whose voices are to be told apart. */
  attach(port: MessagePort): void;
}

/** What the pool needs of what stores images. */
export interface ImagePorts {
  /** Takes a shard's port, on which images come. */
  attach(port: MessagePort): void;
}

/** What the pool needs of what judges samples of streams. */
export interface ReadabilityPorts {
  /** Takes a shard's port, on which samples come. */
  attach(port: MessagePort): void;
}

/** What the pool needs of the thread that translates. */
export interface TranslationPorts {
  /** Takes a shard's port, on which segments come that are to be translated. */
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
  readonly transcriber: TranscriberPorts;
  readonly retained: RetainedPorts;
  /** Absent where voices are not told apart. */
  readonly voices?: VoicePorts | undefined;
  /** Absent where no images are stored: they are refused. */
  readonly images?: ImagePorts | undefined;
  /** Absent where streams are not looked at. */
  readonly readability?: ReadabilityPorts | undefined;
  /** Absent where nothing is translated. */
  readonly translations?: TranslationPorts | undefined;
  readonly log: Logger;
  /** Module whose `runShard` the threads run; tests put one that misbehaves here. */
  readonly module?: string;
}

export interface EnginePool {
  /** By the numbers of the shards, as they are now. */
  readonly links: readonly EngineLink[];
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
  onReplaced(listener: (number: number, link: EngineLink) => void): void;
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

/**
 * Starts the shards: piscina workers, each of which runs one task for as long as its shard lives. A shard that is lost
 * is replaced by a new thread with a ring, ports and a core of its own, which replays what the lost one had spilled.
 * Resolves once all of them serve.
 * @throws whatever kept a shard from starting, for example CochleaError core_unavailable.
 */
export const startEnginePool = async (options: EnginePoolOptions): Promise<EnginePool> => {
  const { settings, databaseUrl, engineId, metrics, log, niceness = getPriority() } = options;
  const shards = shardCount(settings);
  const slotsPerShard =
    shards === 1 ? settings.maxStreams : Math.ceil((settings.maxStreams / shards) * unevenness) + 8;
  const spillDir = join(options.dataDir, 'spill');
  const surrenders = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const counters = metrics.row(0);
  const threads = new Set<ShardThread>();
  let abandoned = 0;
  let failures = 0;
  let breakDown: () => void = () => undefined;
  const broken = new Promise<void>((resolve) => {
    breakDown = resolve;
  });
  const replaced = new Map<number, EngineLink>();
  let listener: ((number: number, link: EngineLink) => void) | undefined;

  const begin = (index: number): ShardThread => {
    for (const thread of threads) if (thread.exited) threads.delete(thread);
    const task = {
      index,
      slots: slotsPerShard,
      settings,
      databaseUrl,
      spillDir,
      engineId,
      niceness,
      metrics: metrics.buffer,
      surrenders: surrenders.buffer as SharedArrayBuffer,
    };
    const thread = new ShardThread({
      task,
      ringSize: settings.ringSize,
      module: options.module ?? fileURLToPath(new URL('../shard/shard-worker.js', import.meta.url)),
      attachTranscriber: (port) => options.transcriber.attach(port),
      attachRetained: (port) => options.retained.attach(port),
      attachImages: (port) => (options.images ? options.images.attach(port) : port.close()),
      attachReadability: (port) => (options.readability ? options.readability.attach(port) : port.close()),
      attachVoices: (port) => (options.voices ? options.voices.attach(port) : port.close()),
      attachTranslations: (port) => (options.translations ? options.translations.attach(port) : port.close()),
    });
    threads.add(thread);
    return thread;
  };

  const abandon = (gone: Promise<void>): void => {
    counters.set('shards_abandoned', ++abandoned);
    if (abandoned > fixedLimits.abandonedShards.value) {
      log.fatal({ abandoned }, 'too many threads hang where they cannot be ended: the engine starts anew');
      breakDown();
    }
    void gone.then(() => counters.set('shards_abandoned', --abandoned));
  };

  const placeOf = (index: number): ShardPlace =>
    new ShardPlace({
      index,
      log,
      begin: () => begin(index),
      surrender: async (exited) => {
        try {
          await new SpillFolders(spillDir, engineId, index).surrender(exited);
        } finally {
          Atomics.add(surrenders, 0, 1);
        }
      },
      lost: (exited, gone, ring) => {
        counters.add('shards_lost_total');
        counters.add('shards_serving', -1);
        const speech = metrics.row(1 + index).get('speech_held_milliseconds');
        const frames = framesIn(ring);
        counters.add('speech_lost_milliseconds_total', speech);
        counters.add('ring_frames_lost_total', frames);
        log.warn({ shard: index, speech, frames }, 'what a lost shard held and could not retain');
        metrics.clearGauges(1 + index);
        if (!exited) abandon(gone);
      },
      replaced: (link) => {
        failures = 0;
        counters.add('shards_replaced_total');
        counters.add('shards_serving');
        if (listener === undefined) replaced.set(index, link);
        else listener(index, link);
      },
      notReplaced: (gone) => {
        metrics.clearGauges(1 + index);
        if (gone !== undefined) abandon(gone);
        if (++failures >= mostFailures && counters.get('shards_serving') === 0) breakDown();
      },
    });
  const places = Array.from({ length: shards }, (_, index) => placeOf(index));

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
  counters.add('shards_serving', shards);
  return {
    links: places.map(({ link }) => link),
    slotsPerShard,
    core: first!.core,
    isa: first!.isa,
    broken,
    get stuck() {
      return [...threads].some(({ exited }) => !exited);
    },
    onReplaced(told) {
      listener = told;
      for (const [index, link] of replaced) told(index, link);
      replaced.clear();
    },
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
};

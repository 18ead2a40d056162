import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CochleaError, reasonOf } from '../errors/index.js';
import type { AudioNeed, Codec } from '../wire/index.js';
import type { AudioCore, CoreOptions, GateOptions } from './interface/index.js';

/** Numbers by which the addon's interface identifies the codecs. */
export const nativeCodecs: Readonly<Record<Codec, number>> = {
  pcm8: 0,
  pcm16: 1,
  opus: 2,
  opus_fs320: 2,
  aac: 3,
  lc3: 4,
  lc3_fs1030: 5,
};

/** The addon's number for each choice of the audio that a stream hands out. */
export const nativeNeeds: Readonly<Record<AudioNeed, number>> = { utterances: 0, gated: 1, everything: 2 };

/** Methods of the addon's class `Core`; see native/binding/core-binding.h. */
export interface NativeCore
  extends Pick<
    AudioCore,
    | 'push'
    | 'lose'
    | 'turn'
    | 'due'
    | 'takeUtterance'
    | 'watch'
    | 'linger'
    | 'openUtterance'
    | 'close'
    | 'status'
    | 'destroy'
  > {
  open(handle: number, codec: number, rate: number, channels: number): number;
  flush(handle: number): number;
  choose(handle: number, need: number): void;
}

/** The exports of the addon. The probes run single parts of the core for tests and measurements; see native/binding/probe.h. */
export interface Addon {
  readonly Core: new (
    options: Omit<CoreOptions, 'memory'>,
    memory: Uint8Array,
    events: Float64Array,
    decided: Uint32Array,
    weights: Uint8Array,
    /** Memory for audio that streams hand out. If it is absent, streams hand out utterances only. */
    audio?: Int16Array,
  ) => NativeCore;
  /** Decodes, resamples and gates streams without the detector; see native/binding/stream-probe.h. */
  readonly StreamProbe: new (
    gate: GateOptions,
    codec: number,
    rate: number,
    channels: number,
    streams: number,
  ) => { run(memory: Uint8Array, batch: Uint32Array, count: number): number };
  /** The fastest instruction set that this machine supports. `CoreOptions.isa` can select another. */
  readonly isa: string;
  readonly opus: string;
  /** Name of the deliberate fault in an addon built for a test; see `COCHLEA_SLOW_DETECTOR` in CMakeLists.txt. */
  readonly testBuild?: string;
  /** Version of liblc3; undefined if the addon was built without it. */
  readonly lc3?: string;
  /**
   * Version of libavcodec; undefined if the library cannot be opened. Reading this field opens the library, at a cost
   * of 0.1 s and 19 MB.
   */
  readonly aac?: string;
  /** Copies a frame into a ring; see native/binding/frame-copy.h. */
  copyFrame(target: Uint8Array, offset: number, frame: ArrayBuffer): void;
  /** Sets the niceness and the time slice of the calling thread; see native/binding/thread-priority.h. */
  setThreadNiceness(niceness: number, sliceMicroseconds: number): boolean;
  /** `melSpectrogram` and `cosineTopK` implement `Analysis`; see native/binding/analysis.h. */
  melSpectrogram(pcm: Int16Array, gain: number): Float32Array;
  cosineTopK(
    query: Float32Array,
    matrix: Float32Array,
    rows: number,
    dims: number,
    k: number,
  ): Float64Array | undefined;
  /** @throws RangeError for an instruction set that this machine does not run */
  probeDetector(
    weights: Uint8Array,
    pcm: Int16Array,
    streams: number,
    isa?: string,
    inFull?: boolean,
    rate?: number,
  ): Float32Array;
  probeGate(options: GateOptions, probabilities: Float32Array, lingers?: Uint8Array): Float64Array;
  probeResampler(rate: number, pcm: Int16Array): Int16Array;
}

const packageRoot = new URL('../../../', import.meta.url);

const remedy =
  'Run "npm run build:native"; it needs a C++ compiler, cmake, pkg-config and libopus (Debian: g++ cmake pkg-config libopus-dev)';

/**
 * Environment variable with the path of an addon built for a test. The variable is not a setting: the path must name a
 * test build. A process that runs a test build reports it through `coreWarning`.
 */
const testAddon = 'COCHLEA_TEST_ADDON';

/**
 * Loads the addon, and the detector's weights from the same build.
 * @param root folder of the package
 * @throws CochleaError core_unavailable, naming the missing part.
 */
export function loadAddon(root: URL = packageRoot): { addon: Addon; weights: Uint8Array } {
  const inPackage = (path: string): string => fileURLToPath(new URL(path, root));
  const forTest = process.env[testAddon];
  const addonPath = forTest === undefined ? inPackage('build/Release/cochlea.node') : resolve(forTest);
  const weightsPath = inPackage('build/silero-v5.bin');
  if (!existsSync(addonPath) || !existsSync(weightsPath)) {
    throw new CochleaError('core_unavailable', { why: 'it has not been built', how: remedy });
  }
  let addon: Addon;
  let weights: Uint8Array;
  try {
    addon = createRequire(import.meta.url)(addonPath) as Addon;
    weights = readFileSync(weightsPath);
  } catch (error) {
    throw new CochleaError('core_unavailable', { why: reasonOf(error), how: remedy }, { cause: error });
  }
  if ((addon.testBuild === undefined) !== (forTest === undefined)) {
    const [why, how] =
      forTest === undefined
        ? [`it was built for a test: ${addon.testBuild}`, remedy]
        : [`${testAddon} names an addon that was not built for a test`, `Unset ${testAddon}`];
    throw new CochleaError('core_unavailable', { why, how });
  }
  return { addon, weights };
}

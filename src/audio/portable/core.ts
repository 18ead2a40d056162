import { CochleaError, reasonOf } from '../../errors/index.js';
import type { AudioNeed, StreamFormat } from '../../wire/index.js';
import {
  type AudioCore,
  baseCodecs,
  batchStride,
  type CoreCapabilities,
  CoreEvent,
  type CoreOptions,
  checkFormat,
  defaultAudioChunk,
  eventStride,
  type StreamStatus,
  type Utterance,
  windowSamples,
} from '../interface/index.js';
import { Detector, type DetectorRate } from './detector.js';
import { type Emit, Stream } from './stream.js';

/** Maximum number of events that one turn returns. The next turn returns further events. */
const eventCapacity = 4096;
/** Maximum number of windows that one turn reports. The next turn reports further windows. */
const decidedCapacity = 4096;

/** Maximum number of audio pieces that one turn returns. The next turn returns further pieces. */
const pieceCapacity = 64;

/** An event that waits to be returned, and its audio if any. */
interface Waiting {
  readonly numbers: readonly [handle: number, kind: number, a: number, b: number, c: number];
  readonly pcm: Int16Array | undefined;
}

const unknown: StreamStatus = {
  position: 0,
  speaking: false,
  bytes: 0,
  speechBytes: 0,
  decided: 0,
  needed: 0,
  framesDecoded: 0,
  framesInvalid: 0,
  framesDropped: 0,
  framesOverBudget: 0,
  framesSkipped: 0,
};

/**
 * The portable core: WASM Opus, JavaScript, onnxruntime. The runtime is asynchronous. So `turn` starts a run over the
 * ready windows unless a run is in progress, and returns events of completed runs.
 */
class PortableCore implements AudioCore {
  readonly capabilities: CoreCapabilities = {
    name: 'portable',
    codecs: baseCodecs,
    synchronous: false,
    concealment: false,
    isa: 'onnxruntime',
    versions: { opus: '@evan/opus (WebAssembly)' },
  };
  readonly events = new Float64Array(eventCapacity * eventStride);
  readonly decided = new Uint32Array(1 + decidedCapacity);
  readonly audio: Int16Array;
  readonly #streams = new Map<number, Stream>();
  /** Streams with a complete window or a pending flush, in order. Excludes streams in the current run. */
  #ready: Stream[] = [];
  readonly #faulty = new Map<Stream, number>();
  #waiting: Waiting[] = [];
  /** Arrivals of decided windows that were not yet reported. */
  #arrivals: number[] = [];
  #busy = false;
  /** The current detector run, or the last one. */
  #running: Promise<void> | undefined;
  #failure: unknown;

  constructor(
    private readonly options: CoreOptions,
    /** One detector for each rate of the model, because each rate has its own weights. */
    private readonly detectors: Readonly<Record<DetectorRate, Detector>>,
  ) {
    const { audioChunk = defaultAudioChunk } = options;
    this.audio = new Int16Array(pieceCapacity * Math.max(windowSamples, audioChunk * 16));
  }

  open(handle: number, format: StreamFormat): void {
    checkFormat(format, this.capabilities.codecs);
    if (!Number.isInteger(handle) || handle < 0 || handle >= this.options.maxStreams) {
      throw new RangeError(`handle ${handle} is not below ${this.options.maxStreams}`);
    }
    if (this.#streams.has(handle)) throw new RangeError(`handle ${handle} is in use`);
    this.#streams.set(handle, new Stream(handle, format, this.options));
  }

  choose(handle: number, need: AudioNeed): void {
    this.#streams.get(handle)?.choose(need);
  }

  push(batch: Uint32Array, count: number, now: number, memory = this.options.memory): void {
    for (let i = 0; i < count; i++) {
      const at = batchStride * i;
      const stream = this.#streams.get(batch[at]!);
      const offset = batch[at + 1]!;
      const length = batch[at + 2]!;
      if (!stream || offset + length > memory.length) continue;
      stream.push(memory.slice(offset, offset + length), batch[at + 3]!, now);
      this.#note(stream, now);
    }
  }

  lose(handle: number, frames: number, bytes: number): void {
    this.#streams.get(handle)?.lose(frames, bytes);
  }

  turn(now: number, force: boolean): number {
    this.#throwFailure();
    if (!this.#busy && (force || this.#detectionDue(now) === 0)) this.#start();
    for (const [stream, since] of this.#faulty) {
      if (force || now - since >= this.options.turnDeadline) this.#reportFaults(stream);
    }
    return this.#deliver();
  }

  due(now: number): number {
    if (this.#waiting.length > 0 || this.#arrivals.length > 0 || this.#failure !== undefined) return 0;
    let due = this.#busy ? Number.POSITIVE_INFINITY : this.#detectionDue(now);
    for (const since of this.#faulty.values()) due = Math.min(due, since + this.options.turnDeadline - now);
    return Math.max(0, due);
  }

  takeUtterance(handle: number): Utterance | undefined {
    return this.#streams.get(handle)?.take();
  }

  watch(handle: number, on: boolean): void {
    const stream = this.#streams.get(handle);
    if (stream) stream.watched = on;
  }

  linger(handle: number, on: boolean): void {
    this.#streams.get(handle)?.linger(on);
  }

  openUtterance(handle: number): Utterance | undefined {
    return this.#streams.get(handle)?.openUtterance();
  }

  flush(handle: number, _now: number): number {
    const stream = this.#streams.get(handle);
    if (stream) {
      stream.flushing = true;
      if (!stream.queued) {
        stream.queued = true;
        this.#ready.push(stream);
      }
      if (!this.#busy) this.#start();
    }
    return this.#deliver();
  }

  async settle(): Promise<void> {
    await this.#running;
  }

  close(handle: number): void {
    const stream = this.#streams.get(handle);
    if (!stream) return;
    stream.close();
    this.#streams.delete(handle);
    this.#faulty.delete(stream);
    this.#ready = this.#ready.filter((other) => other !== stream);
    // The handle may be reused at once, so events of this stream must not reach the next stream.
    this.#waiting = this.#waiting.filter(({ numbers }) => numbers[0] !== handle);
  }

  status(handle: number): StreamStatus {
    const stream = this.#streams.get(handle);
    if (!this.#waiting.some(({ numbers }) => numbers[0] === handle)) stream?.tell();
    return stream?.status() ?? unknown;
  }

  destroy(): void {
    for (const handle of [...this.#streams.keys()]) this.close(handle);
  }

  readonly #emit: Emit = (handle, kind, a, b = 0, c = 0, pcm = undefined) => {
    this.#waiting.push({ numbers: [handle, kind, a, b, c], pcm });
  };

  #note(stream: Stream, now: number): void {
    if (!stream.queued && stream.windowsReady > 0) {
      stream.queued = true;
      stream.since = now;
      this.#ready.push(stream);
    }
    if ((stream.faults > 0 || stream.refused > 0) && !this.#faulty.has(stream)) this.#faulty.set(stream, now);
  }

  #detectionDue(now: number): number {
    const oldest = this.#ready[0];
    if (!oldest) return Number.POSITIVE_INFINITY;
    let windows = 0;
    for (const stream of this.#ready) {
      windows += stream.windowsReady;
      if (windows >= this.options.turnWindows) return 0;
    }
    return Math.max(0, oldest.since + this.options.turnDeadline - now);
  }

  #deliver(): number {
    let count = 0;
    let samples = 0;
    for (const { numbers, pcm } of this.#waiting) {
      if (count === eventCapacity || samples + (pcm?.length ?? 0) > this.audio.length) break;
      this.events.set(numbers, count * eventStride);
      if (pcm !== undefined) {
        this.events[count * eventStride + 3] = samples;
        this.audio.set(pcm, samples);
        samples += pcm.length;
      }
      count++;
    }
    this.#waiting.splice(0, count);
    const arrivals = this.#arrivals.splice(0, decidedCapacity);
    this.decided[0] = arrivals.length;
    this.decided.set(arrivals, 1);
    return count;
  }

  #reportFaults(stream: Stream): void {
    if (stream.faults > 0) this.#emit(stream.handle, CoreEvent.invalidFrames, stream.faults);
    if (stream.refused > 0) this.#emit(stream.handle, CoreEvent.overBudget, stream.refused);
    stream.faults = 0;
    stream.refused = 0;
    this.#faulty.delete(stream);
  }

  #start(): void {
    this.#busy = true;
    this.#running = this.#work().catch((error: unknown) => {
      this.#failure = error;
    });
  }

  /** Runs the detector until no stream has a complete window or a pending flush. */
  async #work(): Promise<void> {
    try {
      for (;;) {
        const batch = this.#takeBatch();
        if (batch.length === 0) return;
        const states = batch.map((stream) => stream.detector);
        const probabilities = await this.detectors[batch[0]!.detectorRate].run(
          states,
          batch.map((stream) => stream.window()),
        );
        batch.forEach((stream, i) => {
          if (stream.closed) return;
          this.#arrivals.push(stream.arrival);
          stream.advance(probabilities[i]!, this.#emit);
          this.#ready.push(stream);
        });
      }
    } finally {
      // Clears the flag here and not when the promise resolves, so that no code runs between the last check of `#ready`
      // and this line.
      this.#busy = false;
    }
  }

  /**
   * Takes streams with a complete window that all need the same model. The stream that has waited longest determines
   * the model.
   */
  #takeBatch(): Stream[] {
    const batch: Stream[] = [];
    for (let i = 0; batch.length < Detector.batch && i < this.#ready.length; ) {
      const stream = this.#ready[i]!;
      if (batch[0] && stream.detectorRate !== batch[0].detectorRate) {
        i++;
        continue;
      }
      this.#ready.splice(i, 1);
      if (stream.fill(this.#emit)) {
        batch.push(stream);
      } else {
        stream.queued = false;
        if (stream.flushing) {
          stream.flushing = false;
          stream.finish(this.#emit);
          this.#reportFaults(stream);
        }
      }
      this.#note(stream, stream.since);
    }
    return batch;
  }

  #throwFailure(): void {
    const failure = this.#failure;
    if (failure === undefined) return;
    this.#failure = undefined;
    throw new CochleaError(
      'core_unavailable',
      { why: reasonOf(failure), how: 'Report this' },
      { cause: failure },
    );
  }
}

/**
 * Creates the portable core of this thread.
 * @throws CochleaError core_unavailable when the detector cannot be loaded.
 */
export async function createPortableCore(options: CoreOptions): Promise<AudioCore> {
  return new PortableCore(options, { 8000: await Detector.create(8000), 16000: await Detector.create() });
}

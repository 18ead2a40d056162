import { CochleaError, reasonOf } from '../../errors/index.js';
import {
  type AudioCore,
  batchStride,
  type CoreCapabilities,
  CoreEvent,
  type CoreOptions,
  eventStride,
  type StreamFormat,
  type StreamStatus,
  type Utterance,
} from '../core.js';
import { baseCodecs, checkFormat } from '../format.js';
import { Detector, type DetectorRate } from './detector.js';
import { type Emit, Session } from './session.js';

/** Events returned by one turn; the rest waits for the next. */
const eventCapacity = 4096;
/** Windows it tells of, likewise. */
const decidedCapacity = 4096;

const unknown: StreamStatus = {
  position: 0,
  speaking: false,
  bytes: 0,
  speechBytes: 0,
  framesDecoded: 0,
  framesInvalid: 0,
  framesDropped: 0,
  framesOverBudget: 0,
};

/**
 * The portable core: WASM Opus, JavaScript, onnxruntime. The runtime is asynchronous, so `turn` starts a run over the
 * ready windows unless one is under way, and returns events of runs that have ended.
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
  readonly #options: CoreOptions;
  /** One for each rate it hears at. */
  readonly #detectors: Readonly<Record<DetectorRate, Detector>>;
  readonly #sessions = new Map<number, Session>();
  /** Streams with a complete window or to be finished, in order. Those in the run under way are not in it. */
  #ready: Session[] = [];
  readonly #faulty = new Map<Session, number>();
  #waiting: [number, number, number, number, number][] = [];
  /** Arrivals of windows decided and not yet told of. */
  #arrivals: number[] = [];
  #busy = false;
  /** The run under way, or the last one. */
  #running: Promise<void> | undefined;
  #failure: unknown;

  constructor(options: CoreOptions, detectors: Readonly<Record<DetectorRate, Detector>>) {
    this.#options = options;
    this.#detectors = detectors;
  }

  open(handle: number, format: StreamFormat): void {
    checkFormat(format, this.capabilities.codecs);
    if (!Number.isInteger(handle) || handle < 0 || handle >= this.#options.maxStreams) {
      throw new RangeError(`handle ${handle} is not below ${this.#options.maxStreams}`);
    }
    if (this.#sessions.has(handle)) throw new RangeError(`handle ${handle} is in use`);
    this.#sessions.set(handle, new Session(handle, format, this.#options));
  }

  push(batch: Uint32Array, count: number, now: number): void {
    const { memory } = this.#options;
    for (let i = 0; i < count; i++) {
      const at = batchStride * i;
      const session = this.#sessions.get(batch[at]!);
      const offset = batch[at + 1]!;
      const length = batch[at + 2]!;
      if (!session || offset + length > memory.length) continue;
      session.push(memory.slice(offset, offset + length), batch[at + 3]!, now);
      this.#note(session, now);
    }
  }

  turn(now: number, force: boolean): number {
    this.#throwFailure();
    if (!this.#busy && (force || this.#detectionDue(now) === 0)) this.#start();
    for (const [session, since] of this.#faulty) {
      if (force || now - since >= this.#options.turnDeadline) this.#reportFaults(session);
    }
    return this.#deliver();
  }

  due(now: number): number {
    if (this.#waiting.length > 0 || this.#arrivals.length > 0 || this.#failure !== undefined) return 0;
    let due = this.#busy ? Number.POSITIVE_INFINITY : this.#detectionDue(now);
    for (const since of this.#faulty.values()) due = Math.min(due, since + this.#options.turnDeadline - now);
    return Math.max(0, due);
  }

  takeUtterance(handle: number): Utterance | undefined {
    return this.#sessions.get(handle)?.take();
  }

  flush(handle: number, _now: number): number {
    const session = this.#sessions.get(handle);
    if (session) {
      session.flushing = true;
      if (!session.queued) {
        session.queued = true;
        this.#ready.push(session);
      }
      if (!this.#busy) this.#start();
    }
    return this.#deliver();
  }

  async settle(): Promise<void> {
    await this.#running;
  }

  close(handle: number): void {
    const session = this.#sessions.get(handle);
    if (!session) return;
    session.close();
    this.#sessions.delete(handle);
    this.#faulty.delete(session);
    this.#ready = this.#ready.filter((other) => other !== session);
    // The number may be used again at once: what this stream had to say must not be taken for the next one's.
    this.#waiting = this.#waiting.filter((event) => event[0] !== handle);
  }

  status(handle: number): StreamStatus {
    return this.#sessions.get(handle)?.status() ?? unknown;
  }

  destroy(): void {
    for (const handle of [...this.#sessions.keys()]) this.close(handle);
  }

  readonly #emit: Emit = (handle, kind, a, b = 0, c = 0) => {
    this.#waiting.push([handle, kind, a, b, c]);
  };

  #note(session: Session, now: number): void {
    if (!session.queued && session.windowsReady > 0) {
      session.queued = true;
      session.since = now;
      this.#ready.push(session);
    }
    if ((session.faults > 0 || session.refused > 0) && !this.#faulty.has(session))
      this.#faulty.set(session, now);
  }

  #detectionDue(now: number): number {
    const oldest = this.#ready[0];
    if (!oldest) return Number.POSITIVE_INFINITY;
    let windows = 0;
    for (const session of this.#ready) {
      windows += session.windowsReady;
      if (windows >= this.#options.turnWindows) return 0;
    }
    return Math.max(0, oldest.since + this.#options.turnDeadline - now);
  }

  #deliver(): number {
    const batch = this.#waiting.splice(0, eventCapacity);
    batch.forEach((event, i) => {
      this.events.set(event, i * eventStride);
    });
    const arrivals = this.#arrivals.splice(0, decidedCapacity);
    this.decided[0] = arrivals.length;
    this.decided.set(arrivals, 1);
    return batch.length;
  }

  #reportFaults(session: Session): void {
    if (session.faults > 0) this.#emit(session.handle, CoreEvent.invalidFrames, session.faults);
    if (session.refused > 0) this.#emit(session.handle, CoreEvent.overBudget, session.refused);
    session.faults = 0;
    session.refused = 0;
    this.#faulty.delete(session);
  }

  #start(): void {
    this.#busy = true;
    this.#running = this.#work().catch((error: unknown) => {
      this.#failure = error;
    });
  }

  /** Detects until no complete window is left and every stream that is to be finished is. */
  async #work(): Promise<void> {
    try {
      for (;;) {
        const batch = this.#takeBatch();
        if (batch.length === 0) return;
        const states = batch.map((session) => session.detector);
        const probabilities = await this.#detectors[batch[0]!.heard].run(
          states,
          batch.map((session) => session.window()),
        );
        batch.forEach((session, i) => {
          if (session.closed) return;
          this.#arrivals.push(session.arrival);
          session.advance(probabilities[i]!, this.#emit);
          this.#ready.push(session);
        });
      }
    } finally {
      // Here and not on the promise: nothing may run between the last look at `#ready` and this.
      this.#busy = false;
    }
  }

  /** Sessions with a complete window that the detector hears at the same rate: that of the one that waited longest. */
  #takeBatch(): Session[] {
    const batch: Session[] = [];
    for (let i = 0; batch.length < Detector.batch && i < this.#ready.length; ) {
      const session = this.#ready[i]!;
      if (batch[0] && session.heard !== batch[0].heard) {
        i++;
        continue;
      }
      this.#ready.splice(i, 1);
      if (session.fill(this.#emit)) {
        batch.push(session);
      } else {
        session.queued = false;
        if (session.flushing) {
          session.flushing = false;
          session.finish(this.#emit);
          this.#reportFaults(session);
        }
      }
      this.#note(session, session.since);
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
 * Makes the portable core of this thread.
 * @throws CochleaError core_unavailable when the detector cannot be loaded.
 */
export async function createPortableCore(options: CoreOptions): Promise<AudioCore> {
  return new PortableCore(options, { 8000: await Detector.create(8000), 16000: await Detector.create() });
}

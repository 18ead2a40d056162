import { batchedDetector } from './batched-detector.js';
import type { Counters } from './counters.js';
import { decoderFor, type FrameDecoder } from './decoders.js';
import { Decisions, type Detector, type Track } from './detector.js';
import { openModel } from './session.js';
import { singleDetector } from './single-detector.js';
import { type Window, Windower, WindowPool } from './windows.js';

/** Processes many streams on one thread: decodes frames, splits audio into windows, detects and gates. */
export class Line {
  readonly #counters: Counters;
  readonly #pool: WindowPool;
  readonly #detector: Detector;

  private constructor(counters: Counters, pool: WindowPool, detector: Detector) {
    this.#counters = counters;
    this.#pool = pool;
    this.#detector = detector;
  }

  static async open(counters: Counters, batched: boolean): Promise<Line> {
    const pool = new WindowPool();
    const decisions = new Decisions(counters, pool);
    const session = await openModel();
    const detector = (batched ? batchedDetector : singleDetector)(session, decisions);
    return new Line(counters, pool, detector);
  }

  /** Opens a stream. @throws RangeError for a format that `decoderFor` does not support. */
  stream(codec: string, sampleRate: number): Stream {
    const make = decoderFor(codec, sampleRate);
    if (make === undefined) throw new RangeError(`${codec} at ${sampleRate} Hz`);
    return new Stream(this.#counters, make(), new Windower(this.#pool), this.#detector.open());
  }
}

/** One wearable's stream in a line. */
export class Stream {
  readonly #counters: Counters;
  readonly #decode: FrameDecoder;
  readonly #windower: Windower;
  readonly #ready: (window: Window) => void;

  constructor(counters: Counters, decode: FrameDecoder, windower: Windower, track: Track) {
    this.#counters = counters;
    this.#decode = decode;
    this.#windower = windower;
    this.#ready = (window) => track.add(window);
  }

  /**
   * Processes one message.
   * @param message one frame. It is not kept after the call.
   * @param arrivedAt ms of `now`.
   */
  push(message: Uint8Array, arrivedAt: number): void {
    let pcm: Int16Array;
    try {
      pcm = this.#decode(message);
    } catch {
      this.#counters.count('frames_invalid_total');
      return;
    }
    this.#counters.count('frames_decoded_total');
    this.#windower.add(pcm, arrivedAt, this.#ready);
  }

  /** Closes the stream. Windows that are in progress are still processed. */
  close(): void {
    this.#windower.close();
  }
}

import { type AudioCore, batchStride, type Utterance } from '../../audio/interface/index.js';
import { CoreTurns } from '../../engine/shard/index.js';
import { FrameBatch, systemClock } from '../../engine/shared/index.js';
import { MetricsTable } from '../../metrics/index.js';
import type { StreamFormat } from '../../wire/index.js';

/**
 * Maximum number of frames that wait in the core to be processed. If more frames waited, the core would treat their
 * stream as late.
 */
const burst = 8;
/** Ms between two calls that let the core process waiting frames. */
const turnEvery = 20;

/** Feeds the streams of this process into an audio core, and emits their utterances. Runs on one thread. */
export class AudioLines {
  readonly #turns: CoreTurns;
  readonly #entry = new Uint32Array(batchStride);
  readonly #owners = new Map<number, (utterance: Utterance) => void>();
  readonly #free: number[];
  readonly #timer: NodeJS.Timeout;
  #pushed = 0;

  /** @param streams number of stream handles in the core. */
  constructor(
    private readonly core: AudioCore,
    streams: number,
  ) {
    this.#free = Array.from({ length: streams }, (_, handle) => handle);
    const ignore = (): void => undefined;
    this.#turns = new CoreTurns({
      core,
      clock: systemClock,
      metrics: new MetricsTable(1).row(0),
      batch: new FrameBatch(core, streams),
      events: {
        speechStarted: ignore,
        speechEnded: ignore,
        speechGoesOn: ignore,
        audio: ignore,
        dropped: ignore,
        overBudget: ignore,
        invalid: ignore,
        failed: ignore,
        utterance: (handle, utterance) => this.#owners.get(handle)?.(utterance),
      },
    });
    this.#timer = setInterval(() => this.#turn(), turnEvery);
  }

  /**
   * Opens a stream.
   * @returns its handle; undefined if no handle is free.
   * @throws CochleaError if the core cannot decode the format.
   */
  open(format: StreamFormat, utterance: (utterance: Utterance) => void): number | undefined {
    const handle = this.#free.pop();
    if (handle === undefined) return undefined;
    try {
      this.core.open(handle, format);
    } catch (thrown) {
      this.#free.push(handle);
      throw thrown;
    }
    this.#owners.set(handle, utterance);
    return handle;
  }

  push(handle: number, frame: Uint8Array): void {
    this.#entry.set([handle, 0, frame.length, 0]);
    this.core.push(this.#entry, 1, systemClock.monotonic(), frame);
    if (++this.#pushed >= burst) this.#turn();
  }

  /** Ends the open utterance and emits it. */
  flush(handle: number): Promise<void> {
    this.#turn();
    return this.#turns.flush(handle);
  }

  close(handle: number): void {
    this.#owners.delete(handle);
    this.core.close(handle);
    this.#free.push(handle);
  }

  destroy(): void {
    clearInterval(this.#timer);
    this.core.destroy();
  }

  #turn(): void {
    this.#pushed = 0;
    this.#turns.run();
  }
}

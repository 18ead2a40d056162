/** Ms without audio after which the stream's clock is tied to the wall clock again. */
export const reanchorAfter = 10_000;

const samplesPerMillisecond = 16;
/** Number of anchors kept. An utterance may end after the pause that follows it, but never several pauses later. */
const anchorsKept = 8;

interface Anchor {
  readonly position: number;
  readonly wall: number;
}

/**
 * Ties a stream's own clock (samples at 16 kHz since it opened) to the wall clock. The first frame sets an anchor. The first frame
 * after a pause sets a new one, because the stream's clock stops while no audio arrives.
 */
export class StreamClock {
  readonly #anchors: Anchor[] = [];

  get running(): boolean {
    return this.#anchors.length > 0;
  }

  /** Wall clock (ms) of the first frame; undefined before it. */
  get startedAt(): number | undefined {
    return this.#startedAt;
  }
  #startedAt: number | undefined;

  /**
   * @param position samples before the frame that has just arrived.
   * @param wall arrival of the frame, ms since the epoch.
   */
  anchor(position: number, wall: number): void {
    this.#startedAt ??= wall;
    if (this.#anchors.length === anchorsKept) this.#anchors.shift();
    this.#anchors.push({ position, wall });
  }

  /** Wall clock (ms) of a sample; `fallback` before the first frame. */
  wallOf(sample: number, fallback: number): number {
    let anchor = this.#anchors[0];
    if (anchor === undefined) return fallback;
    for (const later of this.#anchors) {
      if (later.position > sample) break;
      anchor = later;
    }
    return anchor.wall + (sample - anchor.position) / samplesPerMillisecond;
  }
}

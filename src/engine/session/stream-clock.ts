/** Length in ms of a pause without audio after which the next frame sets a new anchor. */
export const reanchorAfter = 10_000;

const samplesPerMillisecond = 16;
/**
 * Number of remembered anchors. An utterance may be reported after the pause that follows it, but never several
 * pauses later.
 */
const anchorsKept = 8;

interface Anchor {
  readonly position: number;
  readonly wall: number;
}

/**
 * Converts positions on a stream's clock to wall-clock times. The stream's clock counts samples at 16 kHz since the
 * stream opened. The first frame sets an anchor, a pair of both times. The first frame after a pause sets another,
 * because the stream's clock stops while no audio arrives.
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
   * Sets an anchor.
   * @param position number of samples before the frame that has just arrived.
   * @param wall arrival of the frame, ms since the epoch.
   */
  anchor(position: number, wall: number): void {
    this.#startedAt ??= wall;
    if (this.#anchors.length === anchorsKept) this.#anchors.shift();
    this.#anchors.push({ position, wall });
  }

  /** Returns the wall-clock time (ms) of a sample, or `fallback` before the first frame. */
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

/** A pause in audio after which the stream's clock is tied to the wall clock anew, in ms. */
export const reanchorAfter = 10_000;

const samplesPerMillisecond = 16;
/** Anchors kept: an utterance may end after the pause that followed it, never several pauses later. */
const anchorsKept = 8;

interface Anchor {
  readonly position: number;
  readonly wall: number;
}

/**
 * Ties a stream's own clock (samples at 16 kHz since it opened) to the wall clock. The first frame sets the tie; a
 * pause in audio sets a new one, because samples do not count while nothing is sent.
 */
export class StreamClock {
  readonly #anchors: Anchor[] = [];

  get running(): boolean {
    return this.#anchors.length > 0;
  }

  /** Wall clock (ms) of the first frame, undefined before it. */
  get startedAt(): number | undefined {
    return this.#startedAt;
  }
  #startedAt: number | undefined;

  /**
   * @param position samples before the frame that has just come.
   * @param wall when it came, ms since the epoch.
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

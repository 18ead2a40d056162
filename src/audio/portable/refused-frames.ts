/** Frames that the budget refused, or that were lost on their way, one after the other. */
export interface RefusedRun {
  readonly frames: number;
  readonly units: number;
  readonly bytes: number;
}

const none: RefusedRun = { frames: 0, units: 0, bytes: 0 };

const sumOf = (a: RefusedRun, b: RefusedRun): RefusedRun => ({
  frames: a.frames + b.frames,
  units: a.units + b.units,
  bytes: a.bytes + b.bytes,
});

/** What the budget of one stream refused, or was lost on its way, until it is a gap in the audio at the place where it came. */
export class RefusedFrames {
  /** Refused since the stream was last decoded. */
  #since: RefusedRun = none;
  /** Refused before that: a gap behind the first `#ahead` frames of the frame queue. */
  #waiting: RefusedRun = none;
  #ahead = 0;

  /** Units of the gap that waits for its place. */
  get waitingUnits(): number {
    return this.#waiting.units;
  }

  add(run: RefusedRun): void {
    this.#since = sumOf(this.#since, run);
  }

  /**
   * A frame was taken again: what was refused is a gap behind what waits, together with one that still waits.
   * @param queued frames in the frame queue, without the new one.
   * @returns the gap where it comes next.
   */
  taken(queued: number): RefusedRun {
    if (this.#since.frames === 0) return none;
    this.#waiting = sumOf(this.#waiting, this.#since);
    this.#since = none;
    this.#ahead = queued;
    return queued === 0 ? this.#open() : none;
  }

  /** A frame has left the frame queue at its front. @returns the gap where it comes next. */
  passed(): RefusedRun {
    if (this.#ahead === 0) return none;
    this.#ahead--;
    return this.#ahead === 0 ? this.#open() : none;
  }

  #open(): RefusedRun {
    const run = this.#waiting;
    this.#waiting = none;
    return run;
  }
}

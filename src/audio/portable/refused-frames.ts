/** Consecutive frames that the budget refused or that were lost before they arrived. */
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

/** Counts refused and lost frames of one stream until they become a gap in the audio, at the place where they arrived. */
export class RefusedFrames {
  /** Frames refused since a frame was last accepted. */
  #since: RefusedRun = none;
  /** Frames refused earlier: a gap behind the first `#ahead` frames of the frame queue. */
  #waiting: RefusedRun = none;
  #ahead = 0;

  /** Units of the gap that is not yet reached. */
  get waitingUnits(): number {
    return this.#waiting.units;
  }

  add(run: RefusedRun): void {
    this.#since = sumOf(this.#since, run);
  }

  /**
   * Records that a frame was accepted again. The refused frames become a gap behind the queued frames, merged with a
   * gap that still waits.
   * @param queued frames in the frame queue, without the new one.
   * @returns the gap if it comes next.
   */
  taken(queued: number): RefusedRun {
    if (this.#since.frames === 0) return none;
    this.#waiting = sumOf(this.#waiting, this.#since);
    this.#since = none;
    this.#ahead = queued;
    return queued === 0 ? this.#open() : none;
  }

  /** Records that the first frame has left the frame queue. @returns the gap if it comes next. */
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

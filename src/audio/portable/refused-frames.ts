/** The size of a run of consecutive frames that were refused by the budget or lost before they arrived. */
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

/**
 * Counts the refused and lost frames of one stream. They become a gap in the audio, at the position where they would
 * have been.
 */
export class RefusedFrames {
  /** Frames that were refused since the last accepted frame. */
  #since: RefusedRun = none;
  /** Earlier refused frames. Their gap follows the first `#ahead` frames of the frame queue. */
  #waiting: RefusedRun = none;
  #ahead = 0;

  /**
   * Duration of the gap that begins after frames which are still in the frame queue, in the units of the frame queue.
   */
  get waitingUnits(): number {
    return this.#waiting.units;
  }

  add(run: RefusedRun): void {
    this.#since = sumOf(this.#since, run);
  }

  /**
   * Records that a frame was accepted again. The frames refused before it become a gap behind the queued frames. If an
   * earlier gap still waits, both gaps are joined.
   * @param queued number of frames in the frame queue, without the new frame.
   * @returns the gap, if no queued frame precedes it; otherwise an empty gap.
   */
  taken(queued: number): RefusedRun {
    if (this.#since.frames === 0) return none;
    this.#waiting = sumOf(this.#waiting, this.#since);
    this.#since = none;
    this.#ahead = queued;
    return queued === 0 ? this.#open() : none;
  }

  /**
   * Records that the first frame has left the frame queue.
   * @returns the gap, if it follows directly behind this frame; otherwise an empty gap.
   */
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

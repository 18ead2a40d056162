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

/** Counts refused and lost frames of one stream. They become a gap in the audio at the position where they arrived. */
export class RefusedFrames {
  /** Frames refused since the last accepted frame. */
  #since: RefusedRun = none;
  /** Frames refused earlier. They are a gap behind the first `#ahead` frames of the frame queue. */
  #waiting: RefusedRun = none;
  #ahead = 0;

  /** Duration of the gap that decoding has not reached, in the frame queue's units. */
  get waitingUnits(): number {
    return this.#waiting.units;
  }

  add(run: RefusedRun): void {
    this.#since = sumOf(this.#since, run);
  }

  /**
   * Records that a frame was accepted again. The refused frames become a gap behind the queued frames. That gap
   * includes an earlier gap that still waits.
   * @param queued number of frames in the frame queue, without the new frame.
   * @returns the gap if decoding reaches it next.
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
   * @returns the gap if decoding reaches it next.
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

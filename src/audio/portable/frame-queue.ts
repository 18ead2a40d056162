export interface Frame {
  readonly bytes: Uint8Array;
  /** Duration of the frame. The unit is a sample for coded frames, and a byte for PCM. */
  readonly units: number;
  readonly arrival: number;
}

/**
 * Frames of one stream that have arrived and are not decoded yet. The rules are those of native/stream/frame-queue.h.
 */
export class FrameQueue {
  #frames: Frame[] = [];
  #units = 0;
  #bytes = 0;

  constructor(
    private readonly maxUnits: number,
    private readonly maxBytes: number,
  ) {}

  get length(): number {
    return this.#frames.length;
  }

  get units(): number {
    return this.#units;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get oldestArrival(): number | undefined {
    return this.#frames[0]?.arrival;
  }

  /**
   * Adds a frame. The queue then owns its memory. Drops the oldest frames until the new frame fits, and returns the
   * dropped frames.
   */
  push(frame: Frame): Frame[] {
    const dropped: Frame[] = [];
    while (
      this.#frames.length > 0 &&
      (this.#units + frame.units > this.maxUnits || this.#bytes + frame.bytes.length > this.maxBytes)
    ) {
      dropped.push(this.shift()!);
    }
    this.#frames.push(frame);
    this.#units += frame.units;
    this.#bytes += frame.bytes.length;
    return dropped;
  }

  shift(): Frame | undefined {
    const oldest = this.#frames.shift();
    if (oldest) {
      this.#units -= oldest.units;
      this.#bytes -= oldest.bytes.length;
    }
    return oldest;
  }
}

import type { Frame } from './encode.js';

interface Kept {
  readonly frame: Frame;
  /** Position of the end of the frame on the recording's clock, in ms. */
  readonly end: number;
}

/** The frames of a recording that the engine has not confirmed, in order. After a reconnect, they are sent again. */
export class KeptFrames {
  #frames: Kept[] = [];
  /** Index of the next frame to send. */
  #next = 0;
  #end = 0;
  #confirmed = 0;
  #isWaiting = false;

  /** The position in ms that the engine confirmed last. */
  get confirmed(): number {
    return this.#confirmed;
  }

  /**
   * Whether this client still waits for the engine to name the position from which to send. Until then, no frame is
   * sent.
   */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  add(frame: Frame): void {
    this.#end += frame.duration;
    this.#frames.push({ frame, end: this.#end });
  }

  /** Whether frames can be sent now. */
  get isDue(): boolean {
    return !this.#isWaiting && this.#next < this.#frames.length;
  }

  /**
   * Returns the next frames to send. Each frame is returned only once, unless `resume` goes back to it. Returns no
   * frames while `isWaiting` is true.
   * @param isAllowed returns whether a frame can be sent now. The list ends before the first frame for which it returns
   * false.
   */
  take(isAllowed: (frame: Frame) => boolean = () => true): Frame[] {
    if (this.#isWaiting) return [];
    const due: Frame[] = [];
    for (; this.#next < this.#frames.length; this.#next++) {
      const { frame } = this.#frames[this.#next]!;
      if (!isAllowed(frame)) break;
      due.push(frame);
    }
    return due;
  }

  /** Deletes the frames before a position in ms, because the engine has confirmed them. */
  confirm(position: number): void {
    this.#confirmed = Math.max(this.#confirmed, position);
    const left = this.#indexOf(position);
    this.#frames = this.#frames.slice(left);
    this.#next = Math.max(0, this.#next - left);
  }

  /** Makes `take` return nothing until `resume` is called. Called when the connection was lost. */
  wait(): void {
    this.#isWaiting = true;
  }

  /**
   * Continues to send from a position in ms. If the position is undefined, the engine does not use positions, and
   * nothing is sent again.
   */
  resume(position: number | undefined): void {
    if (this.#isWaiting && position !== undefined) this.#next = this.#indexOf(position);
    this.#isWaiting = false;
  }

  /** Returns the index of the frame that contains a position. */
  #indexOf(position: number): number {
    const found = this.#frames.findIndex(({ end }) => end > position + 0.001);
    return found === -1 ? this.#frames.length : found;
  }
}

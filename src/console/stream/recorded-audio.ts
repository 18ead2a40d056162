/** Length in s of a frame. */
export const frameSeconds = 0.02;
/** Bytes of a frame: 20 ms of signed 16-bit samples at 16 kHz. */
export const frameBytes = 640;
/** Maximum seconds of sent audio that are kept, because the engine may not have stored their words. */
export const mostSent = 120;
/** Maximum seconds of audio that wait for a connection. The oldest audio is dropped first. */
export const mostWaiting = 600;

/**
 * The audio that was recorded and may still have to be sent. Frames have numbers that count from the start of the
 * recording.
 */
export class RecordedAudio {
  readonly #frames = new Map<number, Uint8Array<ArrayBuffer>>();
  #first = 0;
  #next = 0;
  #end = 0;
  #lost = 0;

  /** Number of the frame that is sent next. */
  get next(): number {
    return this.#next;
  }

  /** Seconds that wait to be sent. */
  get waiting(): number {
    return (this.#end - this.#next) * frameSeconds;
  }

  /** Seconds that were dropped before they were sent. */
  get lost(): number {
    return this.#lost * frameSeconds;
  }

  /** Adds a frame, which this object then owns. */
  add(frame: Uint8Array<ArrayBuffer>): void {
    this.#frames.set(this.#end++, frame);
    while (this.waiting > mostWaiting) {
      this.#next++;
      this.#lost++;
    }
    this.#forgetSent();
  }

  /** Returns the next frame and counts it as sent; undefined if no frame waits. */
  take(): Uint8Array<ArrayBuffer> | undefined {
    if (this.#next === this.#end) return undefined;
    const frame = this.#frames.get(this.#next++);
    this.#forgetSent();
    return frame;
  }

  /** Makes audio wait again that was sent. @param frame number of the first frame to send again; kept frames only. */
  sendAgainFrom(frame: number): void {
    this.#next = Math.min(this.#next, Math.max(this.#first, Math.ceil(frame)));
  }

  #forgetSent(): void {
    while ((this.#next - this.#first) * frameSeconds > mostSent) this.#frames.delete(this.#first++);
  }
}

/** All frames that arrived in one iteration of the event loop, joined in one buffer. */
export interface FrameBatch {
  readonly bytes: Uint8Array;
  /** Three numbers for each frame: id of its stream, length in bytes, and arrival time in ms. */
  readonly heads: Float64Array;
}

const headFields = 3;
const capacity = { bytes: 65_536, frames: 1024 };

/** Collects the frames of one iteration of the event loop, so that one message to the worker contains all of them. */
export class Outbox {
  readonly #send: (batch: FrameBatch) => void;
  readonly #bytes = new Uint8Array(capacity.bytes);
  readonly #heads = new Float64Array(headFields * capacity.frames);
  readonly #flush = (): void => this.flush();
  #used = 0;
  #frames = 0;
  #armed = false;

  /** @param send receives a batch and owns its memory. */
  constructor(send: (batch: FrameBatch) => void) {
    this.#send = send;
  }

  /**
   * Copies a frame. A frame is a part of the socket's buffer. Posting the frame itself would clone the complete buffer.
   */
  add(stream: number, frame: Uint8Array, arrivedAt: number): void {
    if (this.#frames === capacity.frames || this.#used + frame.length > capacity.bytes) this.flush();
    if (frame.length > capacity.bytes) {
      this.#send({ bytes: new Uint8Array(frame), heads: Float64Array.of(stream, frame.length, arrivedAt) });
      return;
    }
    const head = headFields * this.#frames++;
    this.#heads[head] = stream;
    this.#heads[head + 1] = frame.length;
    this.#heads[head + 2] = arrivedAt;
    this.#bytes.set(frame, this.#used);
    this.#used += frame.length;
    if (this.#armed) return;
    this.#armed = true;
    setImmediate(this.#flush);
  }

  /** Sends the collected frames at once, so that they arrive before the caller's next message. */
  flush(): void {
    this.#armed = false;
    if (this.#frames === 0) return;
    const bytes = this.#bytes.slice(0, this.#used);
    const heads = this.#heads.slice(0, headFields * this.#frames);
    this.#used = 0;
    this.#frames = 0;
    this.#send({ bytes, heads });
  }
}

/** Calls `take` for each frame of a batch. A frame is a view of the batch. */
export const unpack = (
  { bytes, heads }: FrameBatch,
  take: (stream: number, frame: Uint8Array, arrivedAt: number) => void,
): void => {
  let at = 0;
  for (let head = 0; head < heads.length; head += headFields) {
    const length = heads[head + 1]!;
    take(heads[head]!, bytes.subarray(at, at + length), heads[head + 2]!);
    at += length;
  }
};

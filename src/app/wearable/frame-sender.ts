import { TokenBucket } from '../../common/index.js';
import type { Frame } from './encode.js';
import type { KeptFrames } from './kept-frames.js';
import { type Clock, realClock } from './pace.js';

/** Ms of audio that a reopened stream may send at once. An engine accepts 120 s (`AUDIO_BACKLOG`). */
const burst = 100_000;
/** Multiple of real time at which a reopened stream may send after the burst. An engine accepts 4 (`AUDIO_PACE`). */
const pace = 3;
/** Pause in ms between two attempts to send waiting frames. */
const interval = 50;

/**
 * Sends the frames of `KeptFrames`. A stream that was reopened sends them no faster than an engine accepts, because the
 * engine drops faster audio and then closes the stream.
 */
export class FrameSender {
  /**
   * The ms of audio that may be sent. It is undefined until the stream is reopened, so the amount is not limited until
   * then.
   */
  #budget: TokenBucket | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param send sends one frame to the current socket. */
  constructor(
    private readonly kept: KeptFrames,
    private readonly send: (frame: Frame) => void,
    private readonly clock: Pick<Clock, 'now'> = realClock,
  ) {}

  /** Begins the budget of a stream that was reopened. */
  reopened(): void {
    this.#budget = new TokenBucket(1000 * pace, burst);
  }

  /** Sends the frames that are due. Frames beyond the budget are sent later. */
  flush(): void {
    const now = this.clock.now();
    const isAllowed = ({ duration }: Frame): boolean => this.#budget?.take(duration, now) !== false;
    for (const frame of this.kept.take(isAllowed)) this.send(frame);
    if (!this.kept.isDue || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.flush();
    }, interval).unref();
  }

  /** Stops sending. Frames that still wait are not sent. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

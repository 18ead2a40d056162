import type { Frame } from './encode.js';

/** What pacing needs of the world; tests put a clock of their own in its place. */
export interface Clock {
  /** Monotonic ms. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

export const realClock: Clock = {
  now: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

export interface PaceOptions {
  /** 1 is real time, 4 four times as fast; `max` sends as fast as the socket takes. */
  readonly pace: number | 'max';
  readonly clock?: Clock;
  /** Resolves when the socket can take more; called after every burst. */
  readonly ready?: () => Promise<void>;
  /** Stops the sending when it says so. */
  readonly stopped?: () => boolean;
}

/**
 * Sends frames when they are due: frame n at the moment its last sample would have been recorded. Due times are
 * counted from the start, not from the frame before, so that a late timer does not slow the stream down.
 * @param send takes a frame and the time it was due, on the clock of `PaceOptions`.
 * @returns the clock's time at which the first sample was "recorded".
 */
export const sendPaced = async (
  frames: readonly Frame[],
  send: (frame: Frame, due: number) => void,
  options: PaceOptions,
): Promise<number> => {
  const clock = options.clock ?? realClock;
  const start = clock.now();
  let position = 0;
  let next = 0;
  while (next < frames.length && !options.stopped?.()) {
    if (options.pace === 'max') {
      const burst = Math.min(frames.length, next + 64);
      for (; next < burst; next++) send(frames[next]!, clock.now());
    } else {
      const now = clock.now();
      for (; next < frames.length; next++) {
        const due = start + (position + frames[next]!.duration) / options.pace;
        if (due > now) break;
        position += frames[next]!.duration;
        send(frames[next]!, due);
      }
      if (next < frames.length) {
        await clock.sleep(
          Math.max(1, start + (position + frames[next]!.duration) / options.pace - clock.now()),
        );
      }
    }
    await options.ready?.();
  }
  return start;
};

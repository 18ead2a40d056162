import type { Frame } from './encode.js';

/** Clock for pacing; tests replace it. */
export interface Clock {
  /** Returns the monotonic time in ms. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

export const realClock: Clock = {
  now: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

export interface PaceOptions {
  /** Speed of sending: 1 is real time, 4 is four times as fast, and `max` is as fast as the socket accepts. */
  readonly pace: number | 'max';
  readonly clock?: Clock;
  /** Resolves when the socket accepts more data. Called after every burst. */
  readonly ready?: () => Promise<void>;
  /** Returns whether sending must stop. */
  readonly stopped?: () => boolean;
}

/**
 * Sends each frame at the moment its last sample would have been recorded. Due times count from the start rather than
 * from the previous frame, so a late timer does not slow the stream.
 * @param send called with a frame and its due time, in ms of the clock in `PaceOptions`.
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

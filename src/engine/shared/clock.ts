import { setTimeout as delay } from 'node:timers/promises';
import { ringAge, ringClock } from '../../ring/index.js';

/** The clocks of a shard. Tests replace them with clocks that they control. All times are in ms. */
export interface EngineClock {
  /** Returns the wall clock, ms since the epoch. */
  wall(): number;
  /** Returns the clock of ring records (see `ringClock`). */
  ring(): number;
  /** Returns the thread's monotonic clock, with fractions of a ms. The audio core computes ages from it. */
  monotonic(): number;
  /** Resolves after `duration` ms. */
  sleep(duration: number): Promise<void>;
}

export const systemClock: EngineClock = {
  wall: () => Date.now(),
  ring: ringClock,
  monotonic: () => performance.now(),
  sleep: (duration) => delay(duration),
};

/** Returns the wall-clock time (ms) at which a ring record arrived. @param arrival ring clock. */
export const wallOfArrival = (clock: EngineClock, arrival: number): number =>
  clock.wall() - ringAge(arrival, clock.ring());

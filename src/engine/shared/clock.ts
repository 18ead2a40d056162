import { setTimeout as delay } from 'node:timers/promises';
import { ringAge, ringClock } from '../../ring/index.js';

/** The clocks of a shard, in one interface so that tests can stop them. All times are milliseconds. */
export interface EngineClock {
  /** Wall clock since the epoch. */
  wall(): number;
  /** Clock of ring records (`ringClock`). */
  ring(): number;
  /** The thread's monotonic clock, with fractions. The audio core computes ages from it. */
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

/** Wall-clock time at which a ring record arrived. */
export const wallOfArrival = (clock: EngineClock, arrival: number): number =>
  clock.wall() - ringAge(arrival, clock.ring());

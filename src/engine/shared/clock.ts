import { setTimeout as delay } from 'node:timers/promises';
import { ringAge, ringClock } from '../../ring/index.js';

/** The clocks of a shard, together so that tests can hold them still. All in milliseconds. */
export interface EngineClock {
  /** Wall clock since the epoch. */
  wall(): number;
  /** Clock of ring records: `ringClock`. */
  ring(): number;
  /** The thread's monotonic clock, with fractions: what the audio core counts ages from. */
  monotonic(): number;
  /** Resolves after this long. */
  sleep(duration: number): Promise<void>;
}

export const systemClock: EngineClock = {
  wall: () => Date.now(),
  ring: ringClock,
  monotonic: () => performance.now(),
  sleep: (duration) => delay(duration),
};

/** Wall clock of the moment a ring record came. */
export const wallOfArrival = (clock: EngineClock, arrival: number): number =>
  clock.wall() - ringAge(arrival, clock.ring());

import { ringAge, ringClock } from '../ring/index.js';

/** The three clocks of a shard, together so that tests can hold them still. All in milliseconds. */
export interface EngineClock {
  /** Wall clock since the epoch. */
  wall(): number;
  /** Clock of ring records: uint32, wraps. */
  ring(): number;
  /** The thread's monotonic clock, with fractions: what the audio core counts ages from. */
  monotonic(): number;
}

export const systemClock: EngineClock = {
  wall: () => Date.now(),
  ring: ringClock,
  monotonic: () => performance.now(),
};

/** Wall clock of the moment a ring record came. */
export const wallOfArrival = (clock: EngineClock, arrival: number): number =>
  clock.wall() - ringAge(arrival, clock.ring());

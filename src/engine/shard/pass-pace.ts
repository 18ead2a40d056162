import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RingConsumer } from '../../ring/index.js';
import type { EngineClock } from '../shared/index.js';
import { Pulse } from './pulse.js';

/**
 * Minimum time in ms between the starts of two passes that find records. Frames are collected meanwhile, because
 * one wake-up costs more than processing several frames. A longer interval gains nothing, because CPU caches get
 * colder while the thread sleeps.
 */
export const gatherWait = 8;
/**
 * After this many waits in a row in which a record came within `gatherWait` of the last pass, a timer starts the
 * passes. The timer costs less than a wake-up by a record and a wait after it.
 */
const crowdedAfter = 3;

/** What a pass found and left. Times are in ms of the monotonic clock. */
export interface PassEnd {
  readonly began: number;
  /** Number of records that the pass read. */
  readonly records: number;
  /** Whether audio waits that the next pass can process at once. */
  readonly unread: boolean;
  /** Maximum ms until the next pass, if no record arrives. */
  readonly longest: number;
}

/** The functions with which a shard waits between passes. Tests replace them. */
export interface PassWaits {
  /** Waits for a record, as `RingConsumer.wait` does. */
  record(timeout: number): Promise<boolean>;
  /** Resolves at the next tick of a timer that ticks every `gatherWait` ms. */
  pulse(): Promise<void>;
  /** Stops that timer. */
  rest(): void;
  /** Resolves after one turn of the event loop. */
  turn(): Promise<unknown>;
}

/** Returns the functions with which a shard waits on its own thread. */
export const passWaits = (ring: RingConsumer): PassWaits => {
  const pulse = new Pulse(gatherWait);
  return {
    record: (timeout) => ring.wait(timeout),
    pulse: () => pulse.next(),
    rest: () => pulse.stop(),
    turn: () => nextTurn(),
  };
};

/**
 * Waits between the passes of a shard. If records are rare, a record starts the next pass at once. If they are frequent,
 * passes begin `gatherWait` ms apart. The thread's event loop runs at least once in each wait.
 */
export class PassPace {
  /** Start of the last pass that found records. */
  #last = Number.NEGATIVE_INFINITY;
  /** Number of waits in a row in which a record came within `gatherWait` of the last pass. */
  #close = 0;

  constructor(
    private readonly waits: PassWaits,
    private readonly clock: Pick<EngineClock, 'monotonic' | 'sleep'>,
  ) {}

  /** Resolves when the next pass shall begin. */
  async next({ began, records, unread, longest }: PassEnd): Promise<void> {
    const { waits } = this;
    if (records > 0) this.#last = began;
    else this.#close = 0;
    if (unread) await waits.turn();
    else if (this.#close >= crowdedAfter) await (this.#left >= 1 ? waits.pulse() : waits.turn());
    else await this.#record(longest);
  }

  /** Stops the timer. */
  stop(): void {
    this.waits.rest();
  }

  get #left(): number {
    return this.#last + gatherWait - this.clock.monotonic();
  }

  async #record(longest: number): Promise<void> {
    const { waits, clock } = this;
    waits.rest();
    const waited = await waits.record(longest);
    const left = this.#left;
    if (left >= 1) {
      this.#close++;
      await clock.sleep(left);
      return;
    }
    this.#close = 0;
    // If records arrive without a pause, `record` resolves at once. Timers and ports of the thread must run
    // nevertheless.
    if (!waited) await waits.turn();
  }
}

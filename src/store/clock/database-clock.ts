import { within } from '../../common/index.js';
import { correctedClock } from '../../common/threads/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import type { Sql } from '../client/index.js';
import { measureOffset, type ProcessClocks } from './measure-offset.js';

/** Time in ms between two measurements. */
const measureEvery = 60_000;
/** Time in ms between two checks whether the wall clock jumped. */
const lookEvery = 1000;
/** Jump of the wall clock in ms after which the offset is measured at once. */
const jump = 250;
/**
 * Minimum difference in ms between a measured offset and the correction. A smaller difference does not change the
 * correction, so that measuring errors do not change the times of words.
 */
const settled = 50;
/**
 * Maximum round trip in ms of a measurement. The offset of a measurement with a longer round trip is used only if it
 * differs from the last offset by more than the round trip.
 */
const slowest = 1000;
/** Maximum ms for which `start` waits for the first measurement. */
const startTimeout = 3000;
/**
 * Share of the limit `clockRefused` below which the offset must fall before a refused clock is trusted again. With a
 * share below 1, measuring errors do not switch the decision back and forth.
 */
const trustedAgain = 0.8;

export interface DatabaseClockOptions extends Partial<ProcessClocks> {
  readonly sql: Sql;
  readonly log: Pick<Logger, 'debug' | 'info' | 'warn'>;
  /** Called with each measured offset: the number of ms that the database's clock is ahead. */
  readonly onMeasured?: (offset: number) => void;
}

/**
 * The wall clock of this process, corrected by the clock of the database. Times of conversations are compared with
 * times that other machines stored, so all machines use the clock of their common database. The offset is measured each
 * minute, and at once after a jump of the machine's clock. While the database is unavailable, the last correction
 * stays.
 */
export class DatabaseClock {
  /** The correction in ms, one int32. Threads of this process read it with `correctedClock`. */
  readonly correction = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  /** Returns the corrected time, ms since the epoch. */
  readonly wall: () => number;
  readonly #clocks: ProcessClocks;
  readonly #cell = new Int32Array(this.correction);
  #offset = 0;
  #isTrusted = true;
  #measuredAt = Number.NEGATIVE_INFINITY;
  /** Wall clock minus monotonic clock at the last measurement. */
  #difference = 0;
  #measuring: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: DatabaseClockOptions) {
    this.#clocks = {
      wall: options.wall ?? Date.now,
      monotonic: options.monotonic ?? (() => performance.now()),
    };
    this.wall = correctedClock(this.correction, this.#clocks.wall);
  }

  /**
   * Whether the difference between the machine's clock and the database's clock is so small that this process may
   * accept traffic.
   */
  get isTrusted(): boolean {
    return this.#isTrusted;
  }

  /** Number of ms that the database's clock is ahead of the machine's clock. */
  get offset(): number {
    return Math.round(this.#offset);
  }

  /** Measures the offset, and then again each minute until `stop`. Waits only a few seconds for a slow database. */
  async start(): Promise<void> {
    await within(this.look(), startTimeout, () => undefined);
    this.#timer = setInterval(() => void this.look(), lookEvery);
    this.#timer.unref();
  }

  /** Ends the measurements. Resolves when a running measurement has ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#measuring;
  }

  /** Measures the offset if the last measurement is a minute old, or the wall clock has jumped since. Never rejects. */
  async look(): Promise<void> {
    const { wall, monotonic } = this.#clocks;
    const now = monotonic();
    const jumped = Math.abs(wall() - now - this.#difference) > jump;
    if (!jumped && now - this.#measuredAt < measureEvery) return;
    this.#measuring ??= this.#measure().finally(() => {
      this.#measuring = undefined;
    });
    await this.#measuring;
  }

  async #measure(): Promise<void> {
    const { wall, monotonic } = this.#clocks;
    const began = monotonic();
    const difference = wall() - began;
    try {
      const { offset, roundTrip } = await measureOffset(this.options.sql, this.#clocks);
      if (roundTrip <= slowest || Math.abs(offset - this.#offset) > roundTrip) this.#apply(offset);
      this.#difference = difference;
      this.#measuredAt = began;
    } catch (thrown) {
      this.options.log.debug({ err: thrown }, 'the clock of the database cannot be read yet');
    }
  }

  #apply(offset: number): void {
    const { log, onMeasured } = this.options;
    const { value: warned } = fixedLimits.clockWarned;
    const wasOff = Math.abs(this.#offset) > warned;
    const isOff = Math.abs(offset) > warned;
    this.#offset = offset;
    const { value: refused } = fixedLimits.clockRefused;
    this.#isTrusted = Math.abs(offset) <= (this.#isTrusted ? refused : refused * trustedAgain);
    if (Math.abs(offset - Atomics.load(this.#cell, 0)) > settled)
      Atomics.store(this.#cell, 0, Math.abs(offset) > settled ? Math.round(offset) : 0);
    onMeasured?.(offset);
    if (isOff && !wasOff)
      log.warn(
        { err: new CochleaError('clock_off', { off: this.offset }) },
        'the clock of this machine is wrong',
      );
    if (wasOff && !isOff) log.info('the clock of this machine is right again');
  }
}

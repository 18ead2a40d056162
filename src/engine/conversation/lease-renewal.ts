import type { Journal } from '../../journal/index.js';
import type { Logger } from '../../log/index.js';
import type { EngineClock } from '../shared/index.js';

export interface RenewalOptions {
  readonly journal: Pick<Journal, 'renew'>;
  readonly clock: Pick<EngineClock, 'monotonic'>;
  /** Duration of a lease in ms. The lease is renewed three times within this duration. */
  readonly leaseDuration: number;
  readonly log: Logger;
}

/** Renews the lease that covers all live conversations of a shard. */
export class LeaseRenewal {
  #renewedAt: number;
  #running = false;

  constructor(private readonly options: RenewalOptions) {
    this.#renewedAt = options.clock.monotonic();
  }

  /** Renews the lease if it is due; called every tick. Never rejects. @param isHeld whether the shard holds a conversation. */
  async tick(isHeld: boolean): Promise<void> {
    const { clock, journal, leaseDuration, log } = this.options;
    if (this.#running || clock.monotonic() - this.#renewedAt < leaseDuration / 3) return;
    this.#renewedAt = clock.monotonic();
    if (!isHeld) return;
    this.#running = true;
    try {
      await journal.renew();
    } catch (thrown) {
      log.warn({ err: thrown }, 'the lease was not renewed');
    } finally {
      this.#running = false;
    }
  }
}

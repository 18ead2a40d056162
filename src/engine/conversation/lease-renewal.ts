import type { Journal } from '../../journal/index.js';
import type { Logger } from '../../log/index.js';
import type { EngineClock } from '../shared/index.js';
import type { LiveConversation } from './conversation.js';

export interface RenewalOptions {
  readonly journal: Pick<Journal, 'renew'>;
  readonly clock: Pick<EngineClock, 'monotonic'>;
  /** Duration of a lease in ms. Leases are renewed three times within it. */
  readonly leaseDuration: number;
  readonly log: Logger;
}

/** Renews the leases of a shard's live conversations, and informs conversations that lost their lease. */
export class LeaseRenewal {
  #renewedAt: number;
  #running = false;

  constructor(private readonly options: RenewalOptions) {
    this.#renewedAt = options.clock.monotonic();
  }

  /** Renews the leases if they are due; called every tick. Never rejects. */
  async tick(conversations: Iterable<LiveConversation>): Promise<void> {
    const { clock, journal, leaseDuration, log } = this.options;
    if (this.#running || clock.monotonic() - this.#renewedAt < leaseDuration / 3) return;
    this.#renewedAt = clock.monotonic();
    const held = [...conversations].flatMap((conversation) =>
      conversation.lease === null ? [] : [{ conversation, lease: conversation.lease }],
    );
    if (held.length === 0) return;
    this.#running = true;
    try {
      const lost = new Set(await journal.renew(held.map(({ lease }) => lease)));
      for (const { conversation, lease } of held) {
        if (lost.has(lease.conversationId)) conversation.lost(lease);
      }
    } catch (thrown) {
      log.warn({ err: thrown }, 'leases were not renewed');
    } finally {
      this.#running = false;
    }
  }
}

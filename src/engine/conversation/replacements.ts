import { fixedLimits } from '../../config/limits/index.js';
import { type ConversationKey, textOfKey } from '../../journal/feeds/index.js';
import type { Lease } from '../../journal/index.js';
import type { EngineClock } from '../shared/index.js';

interface Noted<Held> {
  readonly held: Held;
  /** Whether the takeover closed an open stream of this shard. */
  readonly closed: boolean;
  readonly until: number;
}

/**
 * The conversations that other engines have recently taken over from a shard: for each key, the last one. A key is
 * forgotten after `replacedPause`.
 */
export class Replacements<Held extends { readonly lease: Lease }> {
  readonly #noted = new Map<string, Noted<Held>>();

  constructor(private readonly clock: Pick<EngineClock, 'monotonic'>) {}

  /**
   * Remembers a conversation that another engine has taken over. A repeated call for the same lease changes nothing,
   * unless it is the first call with `closed` set to true.
   * @param closed whether the takeover closes an open stream of this shard.
   */
  note(key: ConversationKey, held: Held, closed: boolean): void {
    const now = this.clock.monotonic();
    const name = textOfKey(key);
    const before = this.of(key);
    if (before?.held.lease.epoch === held.lease.epoch && before.closed >= closed) return;
    this.#noted.delete(name);
    this.#noted.set(name, { held, closed, until: now + fixedLimits.replacedPause.value });
    for (const [first, { until }] of this.#noted) {
      if (until > now) break;
      this.#noted.delete(first);
    }
  }

  of(key: ConversationKey): Noted<Held> | undefined {
    const noted = this.#noted.get(textOfKey(key));
    return noted !== undefined && noted.until > this.clock.monotonic() ? noted : undefined;
  }

  forget(key: ConversationKey): void {
    this.#noted.delete(textOfKey(key));
  }
}

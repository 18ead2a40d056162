import { fixedLimits } from '../../config/limits/index.js';

/** Ms after which a fault is forgotten. */
const faultMemory = 600_000;

/**
 * Counts for each user, or other account that is named, how often an utterance ended or blocked the transcriber process, because all other users have to wait
 * for each restart. Remembers users with a fault in the last ten minutes only; their number is bounded, because there is a
 * pause before each restart.
 */
export class DecoderFaults {
  readonly #now: () => number;
  readonly #faults = new Map<string, number[]>();

  /** @param now monotonic ms. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Notes that an utterance of this user ended or blocked the process. Called only when the cause is certain. */
  charge(user: string): void {
    const now = this.#now();
    const since = now - faultMemory;
    for (const [other, times] of this.#faults) if (times.at(-1)! <= since) this.#faults.delete(other);
    const recent = (this.#faults.get(user) ?? []).filter((time) => time > since);
    this.#faults.set(user, [...recent, now].slice(-fixedLimits.decoderFaults.value));
  }

  /** Whether this user's utterances have to be decoded alone. */
  suspects(user: string): boolean {
    return this.#recent(user) > 0;
  }

  /** Whether this user's utterances are not decoded for now. */
  excludes(user: string): boolean {
    return this.#recent(user) >= fixedLimits.decoderFaults.value;
  }

  #recent(user: string): number {
    const times = this.#faults.get(user);
    if (times === undefined) return 0;
    const since = this.#now() - faultMemory;
    return times.filter((time) => time > since).length;
  }
}

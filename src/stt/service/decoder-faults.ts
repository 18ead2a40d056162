import { fixedLimits } from '../../config/limits/index.js';

/** Time in ms after which a fault is forgotten. */
const faultMemory = 600_000;

/**
 * Counts the faults of each account: utterances that ended or blocked a transcriber process. An account with too many
 * faults is excluded, because all users wait for each restart. Only faults of the last ten minutes count. Each restart
 * follows a pause, which limits the number of faults in that time and so the number of stored accounts.
 */
export class DecoderFaults {
  readonly #faults = new Map<string, number[]>();

  /** @param now returns the current time, monotonic ms. */
  constructor(private readonly now: () => number) {}

  /** Records that an utterance of this account ended or blocked the process. Call it only when the cause is certain. */
  charge(user: string): void {
    const now = this.now();
    const since = now - faultMemory;
    for (const [other, times] of this.#faults) if (times.at(-1)! <= since) this.#faults.delete(other);
    const recent = (this.#faults.get(user) ?? []).filter((time) => time > since);
    this.#faults.set(user, [...recent, now].slice(-fixedLimits.decoderFaults.value));
  }

  /** Whether utterances of this account must be decoded alone. */
  suspects(user: string): boolean {
    return this.#recent(user) > 0;
  }

  /** Whether utterances of this account are rejected for now. */
  excludes(user: string): boolean {
    return this.#recent(user) >= fixedLimits.decoderFaults.value;
  }

  #recent(user: string): number {
    const times = this.#faults.get(user);
    if (times === undefined) return 0;
    const since = this.now() - faultMemory;
    return times.filter((time) => time > since).length;
  }
}

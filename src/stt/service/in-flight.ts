interface Numbered {
  readonly number: number;
}

/** Utterances that are decoding and not answered yet. Each has a time limit. Owned by the thread of the transcriber. */
export class InFlight<Job extends Numbered> {
  readonly #jobs = new Map<number, { readonly job: Job; readonly timer: NodeJS.Timeout }>();

  /**
   * @param limit maximum time in ms to decode an utterance.
   * @param overdue called when an utterance has taken longer than `limit`.
   */
  constructor(
    private readonly limit: number,
    private readonly overdue: (job: Job) => void,
  ) {}

  add(job: Job): void {
    this.#jobs.set(job.number, { job, timer: setTimeout(() => this.overdue(job), this.limit) });
  }

  /** Removes an utterance and clears its time limit. @returns undefined if the utterance is not in flight. */
  take(number: number): Job | undefined {
    const entry = this.#jobs.get(number);
    if (entry === undefined) return undefined;
    clearTimeout(entry.timer);
    this.#jobs.delete(number);
    return entry.job;
  }

  /** Returns all utterances, in order of assignment. */
  *jobs(): IterableIterator<Job> {
    for (const { job } of this.#jobs.values()) yield job;
  }

  /** Removes the utterances for which `matches` is true, and clears their time limits. */
  remove(matches: (job: Job) => boolean): Job[] {
    const removed = [...this.jobs()].filter(matches);
    for (const { number } of removed) this.take(number);
    return removed;
  }

  /** Removes all utterances and clears their time limits. */
  clear(): void {
    for (const { timer } of this.#jobs.values()) clearTimeout(timer);
    this.#jobs.clear();
  }
}

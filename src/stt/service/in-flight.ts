interface Numbered {
  readonly number: number;
}

/**
 * Maximum time for which an utterance waits until its model is loaded, as a multiple of the time limit of its decode. A busy
 * machine may need minutes to load a model.
 */
const longestLoad = 10;

/**
 * Utterances that are assigned to a decoder process and not answered yet. The time limit of a decode begins when the process
 * gets the utterance. Before that, the utterance may wait until its model is loaded. Owned by the thread of the transcriber.
 */
export class InFlight<Job extends Numbered> {
  readonly #jobs = new Map<number, { readonly job: Job; timer: NodeJS.Timeout }>();

  /**
   * @param limit maximum time in ms to decode an utterance.
   * @param overdue called when the decode has taken longer than `limit`, or the model was not loaded in ten times this time.
   */
  constructor(
    private readonly limit: number,
    private readonly overdue: (job: Job) => void,
  ) {}

  /** Adds an utterance whose decode has not begun. */
  add(job: Job): void {
    this.#jobs.set(job.number, { job, timer: this.#timer(job, longestLoad * this.limit) });
  }

  /** Starts the time limit of an utterance. Does nothing if it is not in flight. */
  begin(number: number): void {
    const entry = this.#jobs.get(number);
    if (entry === undefined) return;
    clearTimeout(entry.timer);
    entry.timer = this.#timer(entry.job, this.limit);
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

  #timer(job: Job, limit: number): NodeJS.Timeout {
    return setTimeout(() => this.overdue(job), limit);
  }
}

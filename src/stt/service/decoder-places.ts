/** An utterance that a process may decode. */
export interface Placed {
  readonly priority: string;
  /** User of the utterance, an opaque string. */
  readonly user: string;
  /** Number of the process that decodes the utterance, from 0; -1 while no process decodes it. */
  process: number;
}

/** Contains the running decoder processes and the utterances that each of them decodes. */
export class DecoderPlaces<Job extends Placed> {
  readonly #inFlight = new Set<Job>();
  /** Number of utterances that each running process decodes together, by process number. */
  readonly #running = new Map<number, number>();

  /** @param isAlone whether an utterance must be the only utterance in its process. */
  constructor(private readonly isAlone: (job: Job) => boolean) {}

  /** Number of utterances that are decoding. */
  get length(): number {
    return this.#inFlight.size;
  }

  /** Numbers of the running processes. */
  get processes(): readonly number[] {
    return [...this.#running.keys()];
  }

  /** Adds a running process. @param together maximum number of live utterances that it decodes at once. */
  started(process: number, together: number): void {
    this.#running.set(process, together);
  }

  /** Removes a process. Its utterances stay until they are released. */
  ended(process: number): void {
    this.#running.delete(process);
  }

  /** Counts an utterance as decoding and sets its `process`. */
  add(job: Job, process: number): void {
    job.process = process;
    this.#inFlight.add(job);
  }

  /** Removes an utterance from decoding. */
  release(job: Job): void {
    this.#inFlight.delete(job);
    job.process = -1;
  }

  /** Removes and returns all utterances. */
  clear(): Job[] {
    const all = [...this.#inFlight];
    this.#inFlight.clear();
    return all;
  }

  /** Returns the decoding utterances for which `matches` is true, in order of assignment. */
  filter(matches: (job: Job) => boolean): Job[] {
    return [...this.#inFlight].filter(matches);
  }

  /** Returns the utterances that a process is decoding, in order of assignment. */
  of(process: number): Job[] {
    return this.filter((job) => job.process === process);
  }

  /** Returns the first idle process of a list; undefined if none is idle. */
  idle(among: readonly number[]): number | undefined {
    return among.find((process) => this.of(process).length === 0);
  }

  /** Returns the process of a list that decodes the fewest utterances; undefined if the list is empty. */
  least(among: readonly number[]): number | undefined {
    return among.toSorted((one, other) => this.of(one).length - this.of(other).length)[0];
  }

  /**
   * Picks the process of a list that a live utterance joins. This is the least loaded process that runs no utterance
   * which must be alone (`isAlone`). The last choice is a process whose only utterance must be alone, but is not live.
   * @param isComplete false while further processes can start. Then no process gets two live utterances.
   */
  beside(among: readonly number[], isComplete: boolean): number | undefined {
    let least: number | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    let last: number | undefined;
    for (const process of among) {
      const together = this.#running.get(process) ?? 0;
      const jobs = this.of(process);
      const isOne = jobs.length === 1 && jobs[0]!.priority !== 'live';
      if (jobs.some((job) => this.isAlone(job))) last ??= isOne ? process : undefined;
      else if (jobs.length < fewest && (isOne || (isComplete && jobs.length < together))) {
        fewest = jobs.length;
        least = process;
      }
    }
    return least ?? last;
  }
}

export interface BatcherOptions<Job, Result> {
  /** Maximum number of batches that run at the same time. */
  readonly concurrency: number;
  /** Time in ms that the first job waits for more jobs before its batch starts. */
  readonly gatherTime: number;
  /** Weight at which a batch is full. A single job may be heavier. */
  readonly limit: number;
  /** Maximum number of waiting jobs. Beyond it `add` refuses jobs. */
  readonly capacity: number;
  readonly weigh: (job: Job) => number;
  /** Processes a batch and returns one result per job, in order. If it rejects, every job of the batch rejects. */
  readonly run: (jobs: Job[]) => Promise<Result[]>;
}

interface Waiting<Job, Result> {
  readonly job: Job;
  readonly weight: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Collects jobs into batches, in order of arrival. A batch starts when it is full, or when its first job has waited
 * `gatherTime` ms. While `concurrency` batches are running, further jobs wait.
 */
export class Batcher<Job, Result> {
  readonly #waiting: Waiting<Job, Result>[] = [];
  readonly #running = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(private readonly options: BatcherOptions<Job, Result>) {}

  /** @returns the job's result, or undefined at once if the queue is full or the batcher is closed. */
  add(job: Job): Promise<Result> | undefined {
    const { capacity, weigh, limit, gatherTime, concurrency } = this.options;
    if (this.#closed || this.#waiting.length >= capacity) return undefined;
    const result = new Promise<Result>((resolve, reject) => {
      this.#waiting.push({ job, weight: weigh(job), resolve, reject });
    });
    if (this.#running.size < concurrency) {
      if (this.#waiting.reduce((sum, { weight }) => sum + weight, 0) >= limit) this.#start();
      else this.#timer ??= setTimeout(() => this.#start(), gatherTime);
    }
    return result;
  }

  /**
   * Refuses new jobs and waits for the running batches.
   * @param abandon returns the result for a job that is still waiting.
   */
  async close(abandon: (job: Job) => Result): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const { job, resolve } of this.#waiting.splice(0)) resolve(abandon(job));
    await Promise.all(this.#running);
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#waiting.length > 0 && this.#running.size < this.options.concurrency) {
      let weight = 0;
      let count = 0;
      while (count < this.#waiting.length && weight < this.options.limit)
        weight += this.#waiting[count++]!.weight;
      const run = this.#run(this.#waiting.splice(0, Math.max(1, count))).finally(() => {
        this.#running.delete(run);
        // The jobs that arrived during this run have waited long enough, so their batch starts at once.
        this.#start();
      });
      this.#running.add(run);
    }
  }

  async #run(batch: Waiting<Job, Result>[]): Promise<void> {
    try {
      const results = await this.options.run(batch.map(({ job }) => job));
      batch.forEach(({ resolve }, i) => {
        resolve(results[i]!);
      });
    } catch (thrown) {
      for (const { reject } of batch) reject(thrown);
    }
  }
}

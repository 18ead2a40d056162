/** The cost of one uploaded file, in ms. */
export interface FileCost {
  /** Duration of the file's audio. Each frame counts as at least the shortest frame of any codec. */
  counted: number;
  /** Time that a thread or a child process worked on the file until it was accepted or refused. */
  work: number;
}

/** Total cost of a request's files, in ms. */
export class SpentTime {
  #total = 0;
  #work = 0;

  /** For each file, the larger of audio duration and work; summed over all files. */
  get total(): number {
    return this.#total;
  }

  /** The work on all files, including refused ones. */
  get work(): number {
    return this.#work;
  }

  add({ counted, work }: FileCost): void {
    this.#total += Math.max(counted, work);
    this.#work += work;
  }
}

/** Runs `work` on this thread and adds its time to a file's cost, even if it throws. */
export const timed = <Result>(cost: FileCost, work: () => Result): Result => {
  const began = performance.now();
  try {
    return work();
  } finally {
    cost.work += performance.now() - began;
  }
};

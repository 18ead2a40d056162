/** The cost of one uploaded file: the duration of its audio, and the working time for it. Both are in ms. */
export interface FileCost {
  /** Duration of the file's audio. Each frame counts as at least the duration of the shortest frame of any codec. */
  counted: number;
  /** Working time of a thread or a child process, until the file was accepted or refused. */
  work: number;
}

/** Total cost of all files of a request, in ms. */
export class SpentTime {
  #total = 0;
  #work = 0;

  /** Sum over all files. Each file counts with its audio duration or its working time, whichever is larger. */
  get total(): number {
    return this.#total;
  }

  /** Working time for all files, including refused files. */
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

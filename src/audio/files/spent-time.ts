/** What one uploaded file costs, in ms. */
export interface FileCost {
  /** How long its audio lasts; a frame counts as the shortest of any codec at least. */
  counted: number;
  /** How long a thread or a child worked on it until it was taken or refused. */
  work: number;
}

/** What the files of a request have cost so far, in ms. */
export class SpentTime {
  #total = 0;
  #work = 0;

  /** Of each file its audio, or the work on it where that is more. */
  get total(): number {
    return this.#total;
  }

  /** The work on all files, those that were refused included. */
  get work(): number {
    return this.#work;
  }

  add({ counted, work }: FileCost): void {
    this.#total += Math.max(counted, work);
    this.#work += work;
  }
}

/** Adds the time that a piece of work takes this thread to a file's cost, also where it throws. */
export const timed = <Result>(cost: FileCost, work: () => Result): Result => {
  const began = performance.now();
  try {
    return work();
  } finally {
    cost.work += performance.now() - began;
  }
};

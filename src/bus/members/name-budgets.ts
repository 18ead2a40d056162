import { TokenBucket } from '../../common/index.js';

/** Maximum number of machines whose budgets are kept. A fleet has fewer machines. */
const mostNames = 1024;

/** Returns the name of the machine in the id of an engine process, `NAME.PROCESS`. */
export const machineOf = (id: string): string => id.split('.', 1)[0]!;

/**
 * A budget for each machine of a fleet. The engine processes of a machine share its budget. Otherwise a machine could
 * get more by sending under many process numbers, because its credentials permit any process number.
 */
export class NameBudgets {
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(
    private readonly perSecond: number,
    private readonly burst: number,
  ) {}

  /**
   * Takes an amount from the budget of an engine's machine.
   * @param now monotonic ms.
   * @returns whether the amount was taken.
   */
  take(id: string, amount: number, now: number): boolean {
    const name = machineOf(id);
    let bucket = this.#buckets.get(name);
    if (bucket === undefined) {
      if (this.#buckets.size >= mostNames) this.#buckets.clear();
      bucket = new TokenBucket(this.perSecond, this.burst);
      this.#buckets.set(name, bucket);
    }
    return bucket.take(amount, now);
  }
}

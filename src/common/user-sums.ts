/** Sums of running work by user (or another name), and their total. Users with a sum of 0 take no memory. */
export class UserSums {
  readonly #sums = new Map<string, number>();
  #all = 0;

  /** Sum over all users. */
  get all(): number {
    return this.#all;
  }

  of(uid: string): number {
    return this.#sums.get(uid) ?? 0;
  }

  /** Changes the sum of a user. @param change negative for finished work */
  add(uid: string, change: number): void {
    this.#all += change;
    const own = this.of(uid) + change;
    if (own === 0) this.#sums.delete(uid);
    else this.#sums.set(uid, own);
  }
}

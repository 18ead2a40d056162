/** Sums by user, or by another name, of things that are under way, and their total. Users without any take no memory. */
export class UserSums {
  readonly #sums = new Map<string, number>();
  #all = 0;

  /** Of all users. */
  get all(): number {
    return this.#all;
  }

  of(uid: string): number {
    return this.#sums.get(uid) ?? 0;
  }

  /** @param change below 0 for what has ended. */
  add(uid: string, change: number): void {
    this.#all += change;
    const own = this.of(uid) + change;
    if (own === 0) this.#sums.delete(uid);
    else this.#sums.set(uid, own);
  }
}

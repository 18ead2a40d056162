/** Ms for which a user is remembered. */
const remembered = 600_000;
/** Users who are remembered: the last ones. */
const most = 1000;

/**
 * Remembers users whose last work ended in ordinary time. Work of others may take any time, so a place is kept free of it: users who are
 * new, or whose work is slow, cannot take all places at once.
 */
export class TriedUsers {
  readonly #ordinary: number;
  /** ms of the clock at which their last work ended, the oldest first. */
  readonly #ended = new Map<string, number>();

  /** @param ordinary ms of work that ended in ordinary time. */
  constructor(ordinary: number) {
    this.#ordinary = ordinary;
  }

  /** Notes work that has ended. */
  note(uid: string, began: number, now: number): void {
    this.#ended.delete(uid);
    if (now - began > this.#ordinary) return;
    this.#ended.set(uid, now);
    if (this.#ended.size > most) this.#ended.delete(this.#ended.keys().next().value!);
  }

  has(uid: string, now: number): boolean {
    const ended = this.#ended.get(uid);
    return ended !== undefined && now - ended < remembered;
  }
}

/** Ms of a turn that count nothing: most requests take a hundredth. */
const ordinary = 250;

/** Ms after which half of a time is forgotten. */
const halfLife = 30_000;

/** Ms above which turns count as long. */
const allowed = 1000;

/** Names that are remembered before forgotten ones are looked for. */
const remembered = 1000;

interface Faded {
  readonly milliseconds: number;
  readonly at: number;
}

const fadedTo = (now: number, { milliseconds, at }: Faded): number =>
  milliseconds * 2 ** ((at - now) / halfLife);

/** Remembers which users, or which operations, lately had long turns. */
export class LongTime {
  readonly #times = new Map<string, Faded>();

  /** @returns ms by which a turn is longer than an ordinary one. */
  static excess(began: number, now: number): number {
    return Math.max(0, now - began - ordinary);
  }

  /** Counts a turn that has ended. */
  add(name: string, began: number, now: number): void {
    const excess = LongTime.excess(began, now);
    if (excess === 0) return;
    if (this.#times.size >= remembered) this.#forget(now);
    this.#times.set(name, { milliseconds: this.#of(name, now) + excess, at: now });
  }

  /**
   * Whether the turns of a name count as long.
   * @param underWay ms by which its turns that have not ended are longer than ordinary ones.
   */
  isLong(name: string, underWay: number, now: number): boolean {
    return underWay > allowed || this.#of(name, now) + underWay > allowed;
  }

  #of(name: string, now: number): number {
    const time = this.#times.get(name);
    return time === undefined ? 0 : fadedTo(now, time);
  }

  #forget(now: number): void {
    for (const [name, time] of this.#times) {
      if (fadedTo(now, time) < 1) this.#times.delete(name);
    }
  }
}

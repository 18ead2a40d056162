/**
 * Ordinary length in ms of a turn, which is the work of one request. Only the time beyond this length counts as long.
 * Most requests take a hundredth of this length.
 */
const ordinaryTurn = 250;

/** After this number of ms, a recorded time counts half. */
const halfLife = 30_000;

/**
 * Limit in ms for the excess of a name, which stands for a user or an operation. The excess is the sum of the ms by
 * which turns exceeded the ordinary length. The turns of a name count as long if its excess is over this limit and over
 * half of their total time.
 */
const allowed = 1000;

/** Maximum number of stored names. When it is reached, names whose excess has faded to less than 1 ms are removed. */
const remembered = 1000;

interface Faded {
  /** Sum of the ms by which turns exceeded the ordinary length. */
  readonly excess: number;
  /** Number of ms of all turns. */
  readonly all: number;
  readonly at: number;
}

const nothing: Faded = { excess: 0, all: 0, at: 0 };

const fadedTo = (now: number, { excess, all, at }: Faded): Faded => {
  const left = 2 ** ((at - now) / halfLife);
  return { excess: excess * left, all: all * left, at: now };
};

/**
 * Records which users or operations (names) recently had long turns. The turns of a name count as long if the time
 * beyond the ordinary length is more than half of their total time. Many turns that exceed this length only a little
 * therefore do not count as long.
 */
export class LongTime {
  readonly #times = new Map<string, Faded>();
  readonly #ordinary: number;

  /** @param ordinary ordinary length of a turn in ms. Only the time beyond it counts. */
  constructor(ordinary = ordinaryTurn) {
    this.#ordinary = ordinary;
  }

  /** Returns the ms by which a turn exceeds the ordinary length. */
  excess(began: number, now: number): number {
    return Math.max(0, now - began - this.#ordinary);
  }

  /** Counts a finished turn. */
  add(name: string, began: number, now: number): void {
    const known = this.#times.get(name);
    const excess = this.excess(began, now);
    // A name without a long turn needs no entry, and most names have none.
    if (excess === 0 && known === undefined) return;
    if (this.#times.size >= remembered) this.#forget(now);
    const before = fadedTo(now, known ?? nothing);
    this.#times.set(name, { excess: before.excess + excess, all: before.all + now - began, at: now });
  }

  /**
   * Checks whether the turns of a name count as long.
   * @param underWay ms by which the name's running turns already exceed the ordinary length.
   */
  isLong(name: string, underWay: number, now: number): boolean {
    if (underWay > allowed) return true;
    const known = this.#times.get(name);
    if (known === undefined) return false;
    const faded = fadedTo(now, known);
    const excess = faded.excess + underWay;
    return excess > allowed && 2 * excess > faded.all + underWay;
  }

  /** Returns the names with long turns. Running turns are not considered. */
  names(now: number): string[] {
    return [...this.#times.keys()].filter((name) => this.isLong(name, 0, now));
  }

  #forget(now: number): void {
    for (const [name, time] of this.#times) {
      if (fadedTo(now, time).excess < 1) this.#times.delete(name);
    }
  }
}

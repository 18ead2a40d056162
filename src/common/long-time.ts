/** Ms of a turn that count nothing: most requests take a hundredth. */
const ordinaryTurn = 250;

/** Ms after which half of a time is forgotten. */
const halfLife = 30_000;

/** Ms beyond those of ordinary turns above which turns count as long, where they are half of all ms, too. */
const allowed = 1000;

/** Names that are remembered before forgotten ones are looked for. */
const remembered = 1000;

interface Faded {
  /** Ms beyond those of ordinary turns. */
  readonly excess: number;
  /** Ms of all turns. */
  readonly all: number;
  readonly at: number;
}

const nothing: Faded = { excess: 0, all: 0, at: 0 };

const fadedTo = (now: number, { excess, all, at }: Faded): Faded => {
  const left = 2 ** ((at - now) / halfLife);
  return { excess: excess * left, all: all * left, at: now };
};

/**
 * Remembers which users, or which operations, lately had long turns: they spent most of their time in the part of turns that is longer than
 * ordinary. Many turns that are a little longer are not long ones.
 */
export class LongTime {
  readonly #times = new Map<string, Faded>();
  readonly #ordinary: number;

  /** @param ordinary ms of a turn that count nothing. */
  constructor(ordinary = ordinaryTurn) {
    this.#ordinary = ordinary;
  }

  /** @returns ms by which a turn is longer than an ordinary one. */
  excess(began: number, now: number): number {
    return Math.max(0, now - began - this.#ordinary);
  }

  /** Counts a turn that has ended. */
  add(name: string, began: number, now: number): void {
    const known = this.#times.get(name);
    const excess = this.excess(began, now);
    // Most names have no long turn at all, and cost nothing.
    if (excess === 0 && known === undefined) return;
    if (this.#times.size >= remembered) this.#forget(now);
    const before = fadedTo(now, known ?? nothing);
    this.#times.set(name, { excess: before.excess + excess, all: before.all + now - began, at: now });
  }

  /**
   * Whether the turns of a name count as long.
   * @param underWay ms by which its turns that have not ended are longer than ordinary ones.
   */
  isLong(name: string, underWay: number, now: number): boolean {
    if (underWay > allowed) return true;
    const known = this.#times.get(name);
    if (known === undefined) return false;
    const faded = fadedTo(now, known);
    const excess = faded.excess + underWay;
    return excess > allowed && 2 * excess > faded.all + underWay;
  }

  /** Names whose turns count as long by those that have ended. */
  names(now: number): string[] {
    return [...this.#times.keys()].filter((name) => this.isLong(name, 0, now));
  }

  #forget(now: number): void {
    for (const [name, time] of this.#times) {
      if (fadedTo(now, time).excess < 1) this.#times.delete(name);
    }
  }
}

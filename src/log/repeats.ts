/** How many different lines are counted apart; those of further kinds share one count for each level. */
const mostKinds = 256;
const longestMessage = 200;

export interface RepeatsOptions {
  /** Lines of one kind that a window lets pass; 0: all. */
  readonly limit: number;
  /** Ms. */
  readonly window: number;
  /** Ms, monotonic. */
  readonly now: () => number;
  /** Told at the end of a window about each kind of which lines were held back. */
  readonly summarise: (level: number, message: string, suppressed: number) => void;
}

interface Kind {
  readonly level: number;
  readonly message: string;
  count: number;
}

/**
 * Limits lines that repeat: of those with the same level and message only so many pass in a window. Ended windows are
 * noticed by the next line or by a timer of the window's length, which does not keep the process alive.
 */
export class Repeats {
  readonly #options: RepeatsOptions;
  readonly #kinds = new Map<string, Kind>();
  // The first line begins the first window.
  #began = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RepeatsOptions) {
    this.#options = options;
  }

  /** Whether a line may be written. */
  admit(level: number, message: string): boolean {
    const { limit, window, now } = this.#options;
    if (limit === 0) return true;
    if (now() - this.#began >= window) this.endWindow();
    const kind = this.#kindOf(level, message.slice(0, longestMessage));
    kind.count++;
    if (kind.count <= limit) return true;
    if (this.#timer === undefined) {
      this.#timer = setTimeout(() => this.endWindow(), Math.max(1, window - (now() - this.#began)));
      this.#timer.unref();
    }
    return false;
  }

  /** Ends the current window now: says what it held back and begins the next. */
  endWindow(): void {
    const { limit, now, summarise } = this.#options;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#began = now();
    const kinds = [...this.#kinds.values()];
    this.#kinds.clear();
    for (const { level, message, count } of kinds) {
      if (count > limit) summarise(level, message, count - limit);
    }
  }

  #kindOf(level: number, message: string): Kind {
    const key = `${level} ${message}`;
    const known = this.#kinds.get(key);
    if (known) return known;
    if (this.#kinds.size >= mostKinds) {
      const rest = `${level}`;
      const shared = this.#kinds.get(rest) ?? { level, message: 'lines of other kinds', count: 0 };
      this.#kinds.set(rest, shared);
      return shared;
    }
    const kind: Kind = { level, message, count: 0 };
    this.#kinds.set(key, kind);
    return kind;
  }
}

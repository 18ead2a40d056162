/**
 * Maximum number of kinds of lines that are counted separately. All lines of further kinds with the same level share
 * one count.
 */
const mostKinds = 256;
const longestMessage = 200;

export interface RepeatsOptions {
  /** Maximum number of lines of one kind that are written in a window; 0: all. */
  readonly limit: number;
  /** Length of the window in ms. */
  readonly window: number;
  /** Returns the monotonic time in ms. */
  readonly now: () => number;
  /** Called at the end of a window for each kind with suppressed lines. */
  readonly summarise: (level: number, message: string, suppressed: number) => void;
}

interface Kind {
  readonly level: number;
  readonly message: string;
  count: number;
}

/**
 * Limits repeated lines. Lines with the same level and message are lines of one kind. In a window of time, a limited
 * number of lines of each kind is written. A timer or the first later line ends the window. The timer does not keep the
 * process alive.
 */
export class Repeats {
  readonly #kinds = new Map<string, Kind>();
  // The first line ends this initial window at once and begins the first real window.
  #began = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: RepeatsOptions) {}

  /** Checks whether a line may be written, and counts it. */
  admit(level: number, message: string): boolean {
    const { limit, window, now } = this.options;
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

  /** Ends the current window: reports the suppressed lines and begins the next window. */
  endWindow(): void {
    const { limit, now, summarise } = this.options;
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

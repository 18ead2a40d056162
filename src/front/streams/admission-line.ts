import { deferred, UserSums } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';

export interface AdmissionLineOptions {
  /** Returns the lag in ms of the slowest shard or of the transcriber. */
  readonly lag: () => number;
  /** Lag in ms above which streams wait. */
  readonly budget: number;
  /** Maximum time in ms that a stream waits; 0 refuses it at once. */
  readonly longestWait: number;
  /** Maximum number of streams that wait, of all users. */
  readonly most: number;
  /** Maximum number of streams of one user that wait. */
  readonly mostOfUser: number;
}

interface Waiting {
  readonly uid: string;
  /** Monotonic time in ms. */
  readonly until: number;
  readonly resolve: () => void;
  readonly reject: (error: CochleaError) => void;
}

/** Ms between two looks at the lag. */
const interval = 20;
/** Number of streams that enter at one look. Their effect on the lag is seen later. */
const enterTogether = 5;

/**
 * Lets new streams wait while the lag is above its budget, in the order of their arrival. When an engine dies, its streams
 * come to the other engines at once, and the lag rises for about a second. A client that was refused then would wait
 * longer than that before it tries again. Main thread only.
 */
export class AdmissionLine {
  readonly #waiting: Waiting[] = [];
  readonly #byUser = new UserSums();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: AdmissionLineOptions) {}

  /**
   * Resolves when the stream may enter.
   * @throws CochleaError overloaded if the lag stays high, or too many streams wait.
   */
  async enter(uid: string): Promise<void> {
    const { lag, budget, longestWait, most, mostOfUser } = this.options;
    if (this.#waiting.length === 0 && lag() <= budget) return;
    if (longestWait === 0 || this.#waiting.length >= most || this.#byUser.of(uid) >= mostOfUser)
      throw new CochleaError('overloaded');
    const { promise, resolve, reject } = deferred();
    this.#waiting.push({ uid, until: performance.now() + longestWait, resolve, reject });
    this.#byUser.add(uid, 1);
    this.#timer ??= setInterval(() => this.#look(), interval);
    await promise;
  }

  /** Refuses the waiting streams, because the engine ends. */
  close(): void {
    this.#leave(this.#waiting.length, ({ reject }) => reject(new CochleaError('draining')));
  }

  #look(): void {
    const { lag, budget } = this.options;
    if (lag() <= budget) this.#leave(enterTogether, ({ resolve }) => resolve());
    const now = performance.now();
    const late = this.#waiting.findIndex(({ until }) => until > now);
    this.#leave(late < 0 ? this.#waiting.length : late, ({ reject }) =>
      reject(new CochleaError('overloaded')),
    );
  }

  #leave(count: number, answer: (waiting: Waiting) => void): void {
    for (const waiting of this.#waiting.splice(0, count)) {
      this.#byUser.add(waiting.uid, -1);
      answer(waiting);
    }
    if (this.#waiting.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

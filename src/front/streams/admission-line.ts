import { deferred } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';
import type { ClientAddress } from '../../identity/index.js';
import { Quota } from '../clients/index.js';

export interface AdmissionLineOptions {
  /** Returns the lag in ms of the slowest shard or of the transcriber. */
  readonly lag: () => number;
  /** Lag in ms above which streams wait. */
  readonly budget: number;
  /** Maximum time in ms that a stream waits; 0 refuses it at once. */
  readonly longestWait: number;
  /** Maximum number of streams that wait. */
  readonly most: number;
  /** Maximum number of streams from one client address that wait. */
  readonly mostOfAddress: number;
}

interface Waiting {
  readonly client: ClientAddress;
  /** Monotonic time in ms. */
  readonly until: number;
  /** Whether the client has disconnected. */
  readonly isGone: () => boolean;
  readonly resolve: () => void;
  readonly reject: (error: CochleaError) => void;
}

/** Ms between two checks of the lag. */
const interval = 20;
/**
 * Number of streams that enter at the first check with a low lag. The number doubles at each further check, because
 * entered streams change the lag only later.
 */
const firstTogether = 5;

/**
 * Lets new streams wait while the lag is above its budget, in the order of their arrival. When an engine dies, its
 * streams come to the other engines at once, and the lag rises for about a second. A client refused during that second
 * would wait longer before it tries again. Main thread only.
 */
export class AdmissionLine {
  #waiting: Waiting[] = [];
  readonly #places: Quota;
  #together = firstTogether;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: AdmissionLineOptions) {
    this.#places = new Quota(options.most, options.mostOfAddress);
  }

  /**
   * Resolves when the stream may enter. If the lag is longer than the longest wait, refuses the stream at once, because
   * such a lag does not end in time.
   * @param isGone whether the client has disconnected. The stream then leaves the line.
   * @throws CochleaError overloaded if the lag stays high, or too many streams wait.
   */
  async enter(client: ClientAddress, isGone: () => boolean): Promise<void> {
    const { budget, longestWait } = this.options;
    const lag = this.options.lag();
    if (this.#waiting.length === 0 && lag <= budget) return;
    if (lag > Math.max(budget, longestWait)) throw new CochleaError('overloaded');
    if (this.#places.isFull || this.#places.exhausted(client)) throw new CochleaError('overloaded');
    const { promise, resolve, reject } = deferred();
    this.#waiting.push({ client, until: performance.now() + longestWait, isGone, resolve, reject });
    this.#places.enter(client);
    this.#timer ??= setInterval(() => this.#look(), interval);
    await promise;
  }

  /** Refuses the waiting streams, because the engine ends. */
  close(): void {
    this.#leave(this.#waiting.splice(0), ({ reject }) => reject(new CochleaError('draining')));
  }

  #look(): void {
    const gone = this.#waiting.filter(({ isGone }) => isGone());
    this.#waiting = this.#waiting.filter(({ isGone }) => !isGone());
    this.#leave(gone, ({ reject }) => reject(new CochleaError('overloaded')));
    if (this.options.lag() <= this.options.budget) {
      this.#leave(this.#waiting.splice(0, this.#together), ({ resolve }) => resolve());
      this.#together *= 2;
      return;
    }
    this.#together = firstTogether;
    const now = performance.now();
    const first = this.#waiting.findIndex(({ until }) => until > now);
    const late = this.#waiting.splice(0, first < 0 ? this.#waiting.length : first);
    this.#leave(late, ({ reject }) => reject(new CochleaError('overloaded')));
  }

  #leave(leaving: readonly Waiting[], answer: (waiting: Waiting) => void): void {
    for (const waiting of leaving) {
      this.#places.leave(waiting.client);
      answer(waiting);
    }
    if (this.#waiting.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#together = firstTogether;
  }
}

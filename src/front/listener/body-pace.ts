import { TokenBucket } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';

/** Number of bytes that a waiting body may pass on when its client's turn comes. It is about one read of a socket. */
const turnBytes = 65_536;
/** Number of ms between two attempts to continue waiting bodies. */
const interval = 2;

/** The rate limit of one request's body. The exchange that receives the body owns this object. */
export interface PacedBody {
  /**
   * Counts received bytes. A waiting body may still receive bytes that arrived before it paused.
   * @param isLast whether the body is complete.
   * @returns whether more bytes may be received now. If false, `BodyPace` later calls `resume` once.
   */
  received(bytes: number, isLast?: boolean): boolean;
  /** Removes the body from the waiting bodies. Call this when the exchange ends. */
  leave(): void;
}

/**
 * Limits the rate at which the front passes on long request bodies. Many of them at once would occupy this thread and
 * the sidecar, and short requests of other users would wait. Short bodies never wait.
 *
 * All long bodies together share one rate. Waiting clients take turns, and each turn passes on `turnBytes`. Main thread
 * only.
 */
export class BodyPace {
  readonly #bucket: TokenBucket;
  /** Functions that continue waiting bodies, by client. The order of clients is the order of their next turns. */
  readonly #waiting = new Map<string, Set<() => void>>();
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param clock returns ms that never decrease.
   * @param schedule calls a function once, after some ms.
   * @param rate bytes per second of all bodies together.
   */
  constructor(
    private readonly clock: () => number = () => performance.now(),
    private readonly schedule: (work: () => void, ms: number) => NodeJS.Timeout = setTimeout,
    rate: number = fixedLimits.bodyRate.value,
  ) {
    this.#bucket = new TokenBucket(rate, fixedLimits.bodyBurst.value, rate);
  }

  /**
   * Adds a body.
   * @param client key of the clients that share turns, such as a group of addresses.
   * @param resume continues the body after a wait.
   */
  body(client: string, resume: () => void): PacedBody {
    let free: number = fixedLimits.unpacedBody.value;
    const begin = (): void => {
      free = turnBytes;
      resume();
    };
    return {
      received: (bytes, isLast = false) => {
        const owed = bytes - free;
        free = Math.max(0, -owed);
        if (owed > 0) this.#bucket.charge(owed, this.clock());
        if (free > 0 || isLast) return true;
        if (this.#waiting.size === 0 && this.#take()) {
          free = turnBytes;
          return true;
        }
        this.#wait(client, begin);
        return false;
      },
      leave: () => this.#leave(client, begin),
    };
  }

  /** Removes all waiting bodies. Their `resume` is not called any more. */
  close(): void {
    clearTimeout(this.#timer);
    this.#waiting.clear();
  }

  #take(): boolean {
    return this.#bucket.take(turnBytes, this.clock());
  }

  #wait(client: string, begin: () => void): void {
    const bodies = this.#waiting.get(client) ?? new Set();
    bodies.add(begin);
    this.#waiting.set(client, bodies);
    this.#schedule();
  }

  #leave(client: string, begin: () => void): void {
    const bodies = this.#waiting.get(client);
    if (bodies?.delete(begin) && bodies.size === 0) this.#waiting.delete(client);
  }

  /** Continues waiting bodies, one client after the other, as long as the rate allows. */
  #next(): void {
    this.#timer = undefined;
    for (const [client, bodies] of this.#waiting) {
      if (!this.#take()) break;
      const [begin] = bodies;
      this.#waiting.delete(client);
      bodies.delete(begin!);
      // If the client has other waiting bodies, it moves behind all other clients.
      if (bodies.size > 0) this.#waiting.set(client, bodies);
      begin!();
    }
    if (this.#waiting.size > 0) this.#schedule();
  }

  /** Schedules the next attempt. Waiting bodies alone do not keep the process alive. */
  #schedule(): void {
    this.#timer ??= this.schedule(() => this.#next(), interval);
    this.#timer?.unref();
  }
}

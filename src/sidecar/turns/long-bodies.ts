import { availableParallelism } from 'node:os';
import { fixedLimits } from '../../config/limits.js';
import { CochleaError } from '../../errors/index.js';
import { UserTurns } from '../../wire/user-turns.js';

/** Seconds after which a refused request may come again. */
const retryAfter = 2;

/**
 * Turns of requests with long bodies. Each of them takes slices of this thread, a part of a second of the thread for texts and of the
 * database, and many times its bytes in memory. So few have turns at once, users in turn, and requests with short bodies meet the slices
 * of those alone. Bodies that wait are bytes, and bounded.
 */
export class LongBodies {
  readonly #turns: UserTurns;
  /** Bytes that wait or have turns, by user. */
  readonly #bytes = new Map<string, number>();
  #all = 0;

  /** @param most bodies that have turns at once. */
  constructor(most = Math.max(1, Math.floor(availableParallelism() / 4))) {
    this.#turns = new UserTurns({ most, mostOfUser: 1 });
  }

  /** The turn of a body, which has not begun. The caller closes it. */
  turn(): BodyTurn {
    return new BodyTurn(this);
  }

  /**
   * Begins a turn. The caller ends it with the same values.
   * @param bytes of the body.
   * @throws CochleaError `texts_full`; the reason of the signal.
   */
  async begin(uid: string, bytes: number, signal: AbortSignal): Promise<void> {
    const { longBodies, longBodiesPerUser } = fixedLimits;
    const own = this.#bytes.get(uid) ?? 0;
    // One body always has a place of its user.
    if ((own > 0 && own + bytes > longBodiesPerUser.value) || this.#all + bytes > longBodies.value) {
      throw new CochleaError('texts_full', { seconds: retryAfter });
    }
    this.#count(uid, bytes);
    try {
      await this.#turns.begin(uid, signal);
    } catch (error) {
      this.#count(uid, -bytes);
      throw error;
    }
  }

  end(uid: string, bytes: number): void {
    this.#count(uid, -bytes);
    this.#turns.end(uid);
  }

  #count(uid: string, bytes: number): void {
    this.#all += bytes;
    const own = (this.#bytes.get(uid) ?? 0) + bytes;
    if (own === 0) this.#bytes.delete(uid);
    else this.#bytes.set(uid, own);
  }
}

/**
 * The turn of a request with a long body: from the reading of the body until its handler has ended, or until the connection has where no
 * handler runs. Of one request, on one thread.
 */
export class BodyTurn {
  readonly #bodies: LongBodies;
  readonly #gone = new AbortController();
  #end: (() => void) | undefined;
  #isHandled = false;

  /** @param bodies of all requests. */
  constructor(bodies: LongBodies) {
    this.#bodies = bodies;
  }

  /** Waits for the turn. @throws CochleaError `texts_full`; the abort of a request that has ended meanwhile. */
  async begin(uid: string, bytes: number): Promise<void> {
    this.#gone.signal.throwIfAborted();
    await this.#bodies.begin(uid, bytes, this.#gone.signal);
    this.#end = () => this.#bodies.end(uid, bytes);
  }

  /** The handler runs: a client that leaves does not end the turn. */
  handle(): void {
    this.#isHandled = true;
  }

  /** The handler has ended. Harmless when it is called again. */
  end(): void {
    this.#end?.();
    this.#end = undefined;
  }

  /** The answer is sent, or the client has left. */
  close(): void {
    this.#gone.abort();
    if (!this.#isHandled) this.end();
  }
}

import { availableParallelism } from 'node:os';
import { UserSums, UserTurns } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';

/** Seconds after which a client may repeat a refused request. */
const retryAfter = 2;

/** A body that waits for its turn. */
interface Waiting {
  readonly uid: string;
  readonly bytes: number;
  /** Ends the wait with a reason. */
  readonly leave: AbortController;
}

const full = (): CochleaError => new CochleaError('texts_full', { seconds: retryAfter });

/**
 * Turns of requests with long bodies. Such a request occupies this thread for a few ms several times. It
 * occupies the text thread and the database for a fraction of a second, and needs many times its bytes of
 * memory. So only a few requests have turns at once, and users alternate. Requests with short bodies wait
 * only for the few ms on this thread.
 *
 * The bytes of waiting bodies are limited. When the limit is reached, the newest waiting body of the user
 * with the most bytes is refused.
 */
export class LongBodies {
  readonly #turns: UserTurns;
  /** Bytes of bodies that wait, have turns or are handled, by user. */
  readonly #bytes = new UserSums();
  /** Waiting bodies, oldest first. */
  readonly #waiting = new Set<Waiting>();

  /**
   * @param most maximum number of bodies with turns at once.
   */
  constructor(most = Math.max(1, Math.floor(availableParallelism() / 4))) {
    this.#turns = new UserTurns({ most, mostOfUser: 1 });
  }

  /** Creates the turn of a body without beginning it. The caller closes it. */
  turn(): BodyTurn {
    return new BodyTurn(this);
  }

  /**
   * Begins a turn. The caller ends it and releases the same bytes.
   * @param bytes of the body.
   * @throws CochleaError `texts_full`; the reason of the signal.
   */
  async begin(uid: string, bytes: number, signal: AbortSignal): Promise<void> {
    const own = this.#bytes.of(uid);
    // A user without other bodies may send a body of any size.
    if (own > 0 && own + bytes > fixedLimits.longBodiesPerUser.value) throw full();
    this.#makeSpace(own + bytes, bytes);
    const waiting: Waiting = { uid, bytes, leave: new AbortController() };
    const leave = (): void => waiting.leave.abort(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    this.#waiting.add(waiting);
    this.#bytes.add(uid, bytes);
    try {
      await this.#turns.begin(uid, waiting.leave.signal);
    } catch (error) {
      if (this.#waiting.delete(waiting)) this.letGo(uid, bytes);
      throw error;
    } finally {
      signal.removeEventListener('abort', leave);
    }
    if (this.#waiting.delete(waiting)) return;
    // Another body took this body's space after the turn began and before this line ran.
    this.end(uid);
    throw full();
  }

  /** Ends a turn. The bytes still count, because the body may still be handled. */
  end(uid: string): void {
    this.#turns.end(uid);
  }

  /** Stops counting the bytes of a body. */
  letGo(uid: string, bytes: number): void {
    this.#bytes.add(uid, -bytes);
  }

  /**
   * Makes space for a body by refusing waiting bodies of users with more bytes.
   * @param own bytes of the body's user, including the body.
   * @throws CochleaError `texts_full`
   */
  #makeSpace(own: number, bytes: number): void {
    const most = fixedLimits.longBodies.value;
    while (this.#bytes.all + bytes > most) {
      let last: Waiting | undefined;
      let held = own;
      for (const waiting of this.#waiting) {
        const theirs = this.#bytes.of(waiting.uid);
        if (theirs < held || (theirs === held && waiting.uid !== last?.uid)) continue;
        last = waiting;
        held = theirs;
      }
      if (last === undefined) throw full();
      this.#waiting.delete(last);
      this.letGo(last.uid, last.bytes);
      last.leave.abort(full());
    }
  }
}

/** The error of a request that ended before it was handled: its client left, or it was already answered. */
export class RequestLeft extends Error {
  override readonly name = 'RequestLeft';
}

/**
 * Maximum ms for which a body that was parsed keeps its turn while its handler waits for memory or a database
 * connection.
 */
const untilHandled = 500;

/**
 * The turn of a request with a long body. It lasts until the handler ends. If the body is not read and no handler
 * runs, the turn ends with the connection. Each request has its own object, which only one thread uses.
 */
export class BodyTurn {
  readonly #gone = new AbortController();
  #endTurn: (() => void) | undefined;
  #letGo: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Whether the body is being read or the handler runs. */
  #isUsed = false;

  /**
   * @param bodies the turns of all requests.
   */
  constructor(private readonly bodies: LongBodies) {}

  /** Waits for the turn. @throws CochleaError `texts_full`; RequestLeft */
  async begin(uid: string, bytes: number): Promise<void> {
    this.#gone.signal.throwIfAborted();
    await this.bodies.begin(uid, bytes, this.#gone.signal);
    this.#endTurn = () => this.bodies.end(uid);
    this.#letGo = () => this.bodies.letGo(uid, bytes);
    this.#isUsed = true;
    // The client may have left after the turn began and before this line ran.
    if (this.#gone.signal.aborted) this.read();
  }

  /**
   * Call after the body is read, or after reading it has failed. If the handler does not begin soon, the turn ends, so
   * that bodies of other users need not wait for it.
   * @throws RequestLeft
   */
  read(): void {
    this.#isUsed = false;
    if (this.#gone.signal.aborted) this.end();
    this.#gone.signal.throwIfAborted();
    this.#timer = setTimeout(() => this.#end(), untilHandled);
  }

  /** Call when the handler waits for its own turn. If the client leaves after that, this turn continues. @throws RequestLeft */
  handle(): void {
    this.#gone.signal.throwIfAborted();
    this.#isUsed = true;
  }

  /** Call when the handler begins. */
  run(): void {
    clearTimeout(this.#timer);
  }

  /** Call when the handler has ended, or waits for another service and no longer needs the body. May be called repeatedly. */
  end(): void {
    clearTimeout(this.#timer);
    this.#end();
    this.#letGo?.();
    this.#letGo = undefined;
  }

  /** Call when the answer is sent or the client has left. */
  close(): void {
    this.#gone.abort(new RequestLeft('The request ended before it was handled'));
    if (!this.#isUsed) this.end();
  }

  #end(): void {
    this.#endTurn?.();
    this.#endTurn = undefined;
  }
}

import { availableParallelism } from 'node:os';
import { UserSums, UserTurns } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';

/** Seconds after which a refused request may come again. */
const retryAfter = 2;

/** A body that waits for its turn. */
interface Waiting {
  readonly uid: string;
  readonly bytes: number;
  /** Ends the wait, with its reason. */
  readonly leave: AbortController;
}

const full = (): CochleaError => new CochleaError('texts_full', { seconds: retryAfter });

/**
 * Turns of requests with long bodies. Each of them takes slices of this thread, a part of a second of the thread for texts and of the
 * database, and many times its bytes in memory. So few have turns at once, users in turn, and requests with short bodies meet the slices
 * of those alone. Bodies that wait are bytes, and bounded. Where they are too many, the user with the most bytes loses the last that waits.
 */
export class LongBodies {
  readonly #turns: UserTurns;
  /** Bytes that wait, have turns or are handled, by user. */
  readonly #bytes = new UserSums();
  /** In the order in which they came. */
  readonly #waiting = new Set<Waiting>();

  /** @param most bodies that have turns at once. */
  constructor(most = Math.max(1, Math.floor(availableParallelism() / 4))) {
    this.#turns = new UserTurns({ most, mostOfUser: 1 });
  }

  /** The turn of a body, which has not begun. The caller closes it. */
  turn(): BodyTurn {
    return new BodyTurn(this);
  }

  /**
   * Begins a turn. The caller ends it, and lets go of the same bytes.
   * @param bytes of the body.
   * @throws CochleaError `texts_full`; the reason of the signal.
   */
  async begin(uid: string, bytes: number, signal: AbortSignal): Promise<void> {
    const own = this.#bytes.of(uid);
    // One body always has a place of its user.
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
    // It made space for another one after its turn had begun, and before this was known here.
    this.end(uid);
    throw full();
  }

  /** Ends a turn. The body may still be handled. */
  end(uid: string): void {
    this.#turns.end(uid);
  }

  /** Counts bytes no more. */
  letGo(uid: string, bytes: number): void {
    this.#bytes.add(uid, -bytes);
  }

  /**
   * Makes space for a body, where users with more bytes have bodies that wait.
   * @param own bytes of its user, with it.
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

/** The client of a request has left, or has its answer, before the request was handled. */
export class RequestLeft extends Error {
  override readonly name = 'RequestLeft';
}

/** Ms for which a body that was read keeps its turn while its handler waits for memory, or for a connection to the database. */
const untilHandled = 500;

/**
 * The turn of a request with a long body: from the reading of the body until its handler has ended, or until the connection has where the
 * body is not read and no handler runs. Of one request, on one thread.
 */
export class BodyTurn {
  readonly #bodies: LongBodies;
  readonly #gone = new AbortController();
  #endTurn: (() => void) | undefined;
  #letGo: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Its body is read, or its handler runs. */
  #isUsed = false;

  /** @param bodies of all requests. */
  constructor(bodies: LongBodies) {
    this.#bodies = bodies;
  }

  /** Waits for the turn. @throws CochleaError `texts_full`; RequestLeft */
  async begin(uid: string, bytes: number): Promise<void> {
    this.#gone.signal.throwIfAborted();
    await this.#bodies.begin(uid, bytes, this.#gone.signal);
    this.#endTurn = () => this.#bodies.end(uid);
    this.#letGo = () => this.#bodies.letGo(uid, bytes);
    this.#isUsed = true;
    // It may have left when the turn had begun, and this was not known here yet.
    if (this.#gone.signal.aborted) this.read();
  }

  /**
   * The body is read, or cannot be. The turn ends when the handler does not begin soon: a user whose requests wait for each other does not keep the
   * bodies of others from being read.
   * @throws RequestLeft
   */
  read(): void {
    this.#isUsed = false;
    if (this.#gone.signal.aborted) this.end();
    this.#gone.signal.throwIfAborted();
    this.#timer = setTimeout(() => this.#end(), untilHandled);
  }

  /** The handler waits for its own turn, and runs then: a client that leaves does not end the turn. @throws RequestLeft */
  handle(): void {
    this.#gone.signal.throwIfAborted();
    this.#isUsed = true;
  }

  /** The handler begins. */
  run(): void {
    clearTimeout(this.#timer);
  }

  /** The handler has ended, or waits for others and needs the body no more. Harmless when it is called again. */
  end(): void {
    clearTimeout(this.#timer);
    this.#end();
    this.#letGo?.();
    this.#letGo = undefined;
  }

  /** The answer is sent, or the client has left. */
  close(): void {
    this.#gone.abort(new RequestLeft('The request ended before it was handled'));
    if (!this.#isUsed) this.end();
  }

  #end(): void {
    this.#endTurn?.();
    this.#endTurn = undefined;
  }
}

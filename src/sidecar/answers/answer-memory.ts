import type { FastifyReply } from 'fastify';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';

/** Seconds after which a request that got no memory may be repeated. */
const retryAfter = 2;

export interface AnswerMemoryOptions {
  /** Bytes of all answers under way. */
  readonly most: number;
  /** Bytes of those of one user; `most` where it is larger. */
  readonly mostOfUser: number;
  /** Ms that a request waits at most; `answerWait` when absent. */
  readonly wait?: number;
}

/** Memory of one answer, until it is released. */
export interface AnswerShare {
  /** Sets its bytes to what the answer turned out to have. Never waits, so it may exceed the bounds; then others wait. */
  resize(bytes: number): void;
  /** Harmless when it is released already. */
  release(): void;
}

/** Releases memory when an answer has ended, however it ends. @returns the same memory. */
export const untilEnd = (share: AnswerShare, { raw }: FastifyReply): AnswerShare => {
  if (raw.destroyed) share.release();
  else raw.once('close', () => share.release());
  return share;
};

interface Waiting {
  readonly bytes: number;
  begin(share: AnswerShare): void;
}

interface UserAnswers {
  held: number;
  readonly waiting: Waiting[];
}

/**
 * Bounds the bytes of answers under way: those that are read from the database, or that their clients have not taken. A request over the
 * bound of its user waits for the user's other answers; one over the bound of all waits for any, users in turn. On one thread only.
 */
export class AnswerMemory {
  readonly #most: number;
  readonly #mostOfUser: number;
  readonly #wait: number;
  #held = 0;
  /** Users with answers, in the order of their next turns; one that has had a turn is the last. */
  readonly #users = new Map<string, UserAnswers>();
  #waiting = 0;

  constructor({ most, mostOfUser, wait = fixedLimits.answerWait.value }: AnswerMemoryOptions) {
    this.#most = most;
    this.#mostOfUser = Math.min(most, mostOfUser);
    this.#wait = wait;
  }

  /** Bytes of all answers under way. */
  get held(): number {
    return this.#held;
  }

  /**
   * Takes memory for an answer that a user is about to get. The caller releases it.
   * @param bytes that the answer may have; of more than a user may have at once all of these.
   * @returns a promise only where the request has to wait. It rejects with `answers_limited` or `answers_full` after the longest wait.
   */
  take(uid: string, bytes: number): AnswerShare | Promise<AnswerShare> {
    const needed = Math.min(bytes, this.#mostOfUser);
    const user = this.#users.get(uid) ?? { held: 0, waiting: [] };
    // None passes those that wait for the memory of all: a large answer would wait for as long as small ones come.
    const isFree = this.#waiting === 0 || !this.#isBlocked();
    if (isFree && user.waiting.length === 0 && this.#fits(user, needed))
      return this.#begin(uid, user, needed);
    return this.#queue(uid, user, needed);
  }

  /** Counts an answer that is in memory already. */
  count(uid: string, bytes: number): AnswerShare {
    return this.#begin(uid, this.#users.get(uid) ?? { held: 0, waiting: [] }, bytes);
  }

  #fitsUser({ held }: UserAnswers, bytes: number): boolean {
    return held === 0 || held + bytes <= this.#mostOfUser;
  }

  #fits(user: UserAnswers, bytes: number): boolean {
    return this.#fitsUser(user, bytes) && (this.#held === 0 || this.#held + bytes <= this.#most);
  }

  /** Whether a user waits for the memory of all. */
  #isBlocked(): boolean {
    for (const user of this.#users.values()) {
      const [first] = user.waiting;
      if (first !== undefined && this.#fitsUser(user, first.bytes)) return true;
    }
    return false;
  }

  #begin(uid: string, user: UserAnswers, bytes: number): AnswerShare {
    this.#users.delete(uid);
    this.#users.set(uid, user);
    let own = 0;
    const resize = (to: number): void => {
      user.held += to - own;
      this.#held += to - own;
      own = to;
    };
    resize(bytes);
    let released = false;
    return {
      resize: (to) => {
        if (released) return;
        const smaller = to < own;
        resize(to);
        if (smaller) this.#next();
      },
      release: () => {
        if (released) return;
        released = true;
        resize(0);
        if (user.held === 0 && user.waiting.length === 0) this.#users.delete(uid);
        this.#next();
      },
    };
  }

  #queue(uid: string, user: UserAnswers, bytes: number): Promise<AnswerShare> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        user.waiting.splice(user.waiting.indexOf(waiting), 1);
        this.#waiting--;
        const limited = !this.#fitsUser(user, bytes);
        if (user.held === 0 && user.waiting.length === 0) this.#users.delete(uid);
        reject(new CochleaError(limited ? 'answers_limited' : 'answers_full', { seconds: retryAfter }));
        this.#next();
      }, this.#wait);
      const waiting: Waiting = {
        bytes,
        begin: (share) => {
          clearTimeout(timer);
          resolve(share);
        },
      };
      user.waiting.push(waiting);
      this.#waiting++;
      this.#users.set(uid, user);
    });
  }

  /** Begins what waits and fits now, users in turn. The first that only the bound of all keeps waiting ends the round. */
  #next(): void {
    for (let begun = true; begun && this.#waiting > 0; ) {
      begun = false;
      for (const [uid, user] of this.#users) {
        const [first] = user.waiting;
        if (first === undefined || !this.#fitsUser(user, first.bytes)) continue;
        if (!this.#fits(user, first.bytes)) return;
        user.waiting.shift();
        this.#waiting--;
        first.begin(this.#begin(uid, user, first.bytes));
        begun = true;
        break;
      }
    }
  }
}

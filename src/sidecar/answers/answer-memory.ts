import type { FastifyReply } from 'fastify';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';

/** Seconds after which a client may repeat a request that was refused for lack of memory. */
const retryAfter = 2;

export interface AnswerMemoryOptions {
  /** Maximum bytes of all answers in progress. */
  readonly most: number;
  /** Maximum bytes of one user's answers, or `most` if that is smaller. */
  readonly mostOfUser: number;
  /** Maximum ms that a request waits. Default: `answerWait`. */
  readonly wait?: number;
}

/** Memory that is reserved for one answer until `release`. */
export interface AnswerShare {
  /**
   * Sets the reserved bytes to the actual size of the answer. Never waits, so all answers together may then exceed the
   * limits. In that case, new answers wait.
   */
  resize(bytes: number): void;
  /** Releases the memory. Only the first call counts. */
  release(): void;
}

/** Releases memory when an answer has ended, successfully or not. @returns the given share. */
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
 * Limits the bytes of answers in progress: answers being read from the database, or not yet received by their clients.
 * If an answer would exceed its user's limit, it waits until other answers of the user have ended. If it would exceed
 * the total limit, it waits until answers of any users have ended. Waiting users take turns. Use it on one thread only.
 */
export class AnswerMemory {
  readonly #most: number;
  readonly #mostOfUser: number;
  readonly #wait: number;
  #held = 0;
  /**
   * Users with answers in progress or waiting, in the order in which waiting answers are started. When a waiting answer
   * of a user starts, the user moves to the end.
   */
  readonly #users = new Map<string, UserAnswers>();
  #waiting = 0;

  constructor({ most, mostOfUser, wait = fixedLimits.answerWait.value }: AnswerMemoryOptions) {
    this.#most = most;
    this.#mostOfUser = Math.min(most, mostOfUser);
    this.#wait = wait;
  }

  /** Number of bytes that all answers in progress occupy. */
  get held(): number {
    return this.#held;
  }

  /**
   * Takes memory for an answer to a user. The caller releases it.
   * @param bytes maximum size of the answer. If `bytes` exceeds the user's limit, only the limit is reserved.
   * @returns a promise only if the request must wait. The promise rejects with `answers_limited` or `answers_full`
   * after the maximum wait.
   */
  take(uid: string, bytes: number): AnswerShare | Promise<AnswerShare> {
    const needed = Math.min(bytes, this.#mostOfUser);
    const user = this.#users.get(uid) ?? { held: 0, waiting: [] };
    // If an answer waits only because all memory is taken, later answers wait, too, even if they would fit. Otherwise
    // many small answers could delay a large one forever.
    const isFree = this.#waiting === 0 || !this.#isBlocked();
    if (isFree && user.waiting.length === 0 && this.#fits(user, needed))
      return this.#begin(uid, user, needed);
    return this.#queue(uid, user, needed);
  }

  /** Counts an answer that is already in memory. */
  count(uid: string, bytes: number): AnswerShare {
    return this.#begin(uid, this.#users.get(uid) ?? { held: 0, waiting: [] }, bytes);
  }

  #fitsUser({ held }: UserAnswers, bytes: number): boolean {
    return held === 0 || held + bytes <= this.#mostOfUser;
  }

  #fits(user: UserAnswers, bytes: number): boolean {
    return this.#fitsUser(user, bytes) && (this.#held === 0 || this.#held + bytes <= this.#most);
  }

  /** Whether the first waiting answer of any user waits only for total memory, and not for the user's own limit. */
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

  /**
   * Starts waiting answers that fit now; users take turns. Stops at the first answer that only the total limit
   * blocks.
   */
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

import { anySignal, UserTurns } from '../common/index.js';
import { CochleaError } from '../errors/index.js';
import { Breaker } from './breaker.js';
import type { ModelOptions } from './model-options.js';

/**
 * Divisor of the time limit of a question. A question or job that takes at most the limit divided by this number counts
 * as ordinary. A slower one counts as long.
 */
export const ordinaryShare = 4;

/**
 * The time at which the time limit of a question is reached (ms since the epoch), and a signal that aborts at that time
 * or earlier.
 */
export interface QuestionBounds {
  readonly until: number;
  readonly signal: AbortSignal;
}

/** The user who asks a question, and the signal that cancels the question. */
interface Asker {
  readonly uid: string;
  readonly signal?: AbortSignal | undefined;
}

/** Limits concurrent questions to the model. Users take turns, and each question has a time limit. */
export class QuestionPlaces {
  readonly #timeout: number;
  /**
   * Maximum ms that a question waits for a slot. At most `concurrency` questions have a slot at the same time. This
   * time is longer if one user may have only a small share of the slots.
   */
  readonly #longestWait: number;
  readonly #places: UserTurns;
  readonly #breaker: Breaker;

  /** @param rest ms for which an unavailable model gets no questions. Default: as in `Breaker`. */
  constructor({ concurrency, timeout }: Pick<ModelOptions, 'concurrency' | 'timeout'>, rest?: number) {
    // One user's questions get at most half of the slots (rounded up), so that they do not occupy all slots.
    const share = Math.ceil(concurrency / 2);
    this.#timeout = timeout;
    this.#longestWait = timeout * Math.ceil(concurrency / share);
    this.#places = new UserTurns({
      most: concurrency,
      mostOfUser: share,
      // If the questions of two users get no answers, one slot still stays free for other users.
      kept: concurrency > 2 ? 1 : 0,
      long: { most: Math.max(1, Math.floor(concurrency / 3)), ordinary: timeout / ordinaryShare },
      // If the first questions of many new users get no answers, one slot stays free for users whose last question was
      // answered quickly.
      proven: concurrency > 2 ? 1 : 0,
    });
    this.#breaker = new Breaker(rest === undefined ? {} : { rest });
  }

  /**
   * Runs a question when it has a slot. The time limit of the question begins at that moment.
   * @throws CochleaError `llm_busy` if no slot becomes free, `llm_unavailable` if the question takes too long; the reason of the question's
   * signal; the errors of `ask`.
   */
  ask<Result>(question: Asker, ask: (bounds: QuestionBounds) => Promise<Result>): Promise<Result> {
    return this.#inPlace(question, () =>
      this.#breaker.guard(question.uid, async () => {
        const until = Date.now() + this.#timeout;
        const tooLong = AbortSignal.timeout(this.#timeout);
        const signal = question.signal ? anySignal(question.signal, tooLong) : tooLong;
        try {
          return await ask({ until, signal });
        } catch (error) {
          question.signal?.throwIfAborted();
          if (tooLong.aborted) throw new CochleaError('llm_unavailable', { why: 'it takes too long' });
          throw error;
        }
      }),
    );
  }

  /**
   * Begins the work when a slot is free and it is the user's turn. The wait has a separate time limit, and does not count as a failure of
   * the model.
   * @throws CochleaError `llm_busy` if no slot becomes free; the reason of the question's signal if it aborts the wait.
   */
  async #inPlace<Result>({ uid, signal: ended }: Asker, work: () => Promise<Result>): Promise<Result> {
    ended?.throwIfAborted();
    const tooLong = new AbortController();
    const busy = new CochleaError('llm_busy', { seconds: Math.ceil(this.#longestWait / 1000) });
    const timer = setTimeout(() => tooLong.abort(busy), this.#longestWait);
    try {
      await this.#places.begin(uid, ended ? anySignal(ended, tooLong.signal) : tooLong.signal);
    } finally {
      clearTimeout(timer);
    }
    try {
      return await work();
    } finally {
      this.#places.end(uid);
    }
  }
}

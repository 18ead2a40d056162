import { anySignal, UserTurns } from '../common/index.js';
import { CochleaError } from '../errors/index.js';
import { Breaker } from './breaker.js';
import type { ModelOptions } from './model-options.js';

/** An ordinary question or job takes at most 1/4 of a question's time limit. */
export const ordinaryShare = 4;

/** When the time of a question ends (ms since the epoch), and the signal that ends it at that time or earlier. */
export interface QuestionBounds {
  readonly until: number;
  readonly signal: AbortSignal;
}

/** The user of a question, and the signal that cancels it. */
interface Asker {
  readonly uid: string;
  readonly signal?: AbortSignal | undefined;
}

/** Limits concurrent questions to the model. Users take turns, and each question has a time limit. */
export class QuestionPlaces {
  readonly #timeout: number;
  /** Ms that a question may wait for a place. Longer when a user may have fewer places. */
  readonly #longestWait: number;
  readonly #places: UserTurns;
  readonly #breaker: Breaker;

  /** @param rest ms for which an unavailable model is not asked; default of `Breaker`. */
  constructor({ concurrency, timeout }: Pick<ModelOptions, 'concurrency' | 'timeout'>, rest?: number) {
    // One user's waiting questions must not take all places for the duration of a question.
    const share = Math.ceil(concurrency / 2);
    this.#timeout = timeout;
    this.#longestWait = timeout * Math.ceil(concurrency / share);
    this.#places = new UserTurns({
      most: concurrency,
      mostOfUser: share,
      // Even when two users' questions hang, a place stays free for the others.
      kept: concurrency > 2 ? 1 : 0,
      long: { most: Math.max(1, Math.floor(concurrency / 3)), ordinary: timeout / ordinaryShare },
    });
    this.#breaker = new Breaker(rest === undefined ? {} : { rest });
  }

  /**
   * Runs a question once it has a place. Its time limit begins then.
   * @throws CochleaError `llm_busy` when no place becomes free, `llm_unavailable` when it takes too long; the reason of
   * the question's signal; the errors of `ask`.
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
   * Begins the work when a place is free and it is the user's turn. The wait has a time limit of its own and does not
   * count as a fault of the model.
   * @throws CochleaError `llm_busy` when no place becomes free, the reason of the question's signal when that ends the
   * wait.
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

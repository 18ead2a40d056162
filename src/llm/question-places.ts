import { anySignal, UserTurns } from '../common/index.js';
import { CochleaError } from '../errors/index.js';
import { Breaker } from './breaker.js';
import type { ModelOptions } from './model-options.js';

/** Part of the time limit of a question that an ordinary question, or an ordinary job, may take. */
export const ordinaryShare = 4;

/** When the time of a question ends (ms since the epoch), and the signal that ends it then or earlier. */
export interface QuestionBounds {
  readonly until: number;
  readonly signal: AbortSignal;
}

/** Whose question it is, and what ends it early. */
interface Asker {
  readonly uid: string;
  readonly signal?: AbortSignal | undefined;
}

/** Gives questions their places at the model, user by user, and each its time. */
export class QuestionPlaces {
  readonly #timeout: number;
  /** Ms that a question may wait for its place: as much longer as its user has fewer of them. */
  readonly #longestWait: number;
  readonly #places: UserTurns;
  readonly #breaker: Breaker;

  /** @param rest ms for which a model that is away is not asked; that of `Breaker` when absent. */
  constructor({ concurrency, timeout }: Pick<ModelOptions, 'concurrency' | 'timeout'>, rest?: number) {
    // What one user has waiting must not take every place from the others for as long as a question may last.
    const share = Math.ceil(concurrency / 2);
    this.#timeout = timeout;
    this.#longestWait = timeout * Math.ceil(concurrency / share);
    this.#places = new UserTurns({
      most: concurrency,
      mostOfUser: share,
      // Two users whose questions are not answered leave a place to the others.
      kept: concurrency > 2 ? 1 : 0,
      long: { most: Math.max(1, Math.floor(concurrency / 3)), ordinary: timeout / ordinaryShare },
    });
    this.#breaker = new Breaker(rest === undefined ? {} : { rest });
  }

  /**
   * Asks in a place within the time of a question, which begins then.
   * @throws CochleaError `llm_busy` when no place becomes free, `llm_unavailable` when it takes too long; the reason of the question's
   *   signal; what `ask` throws.
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
   * Begins the work as soon as a place is free and it is the turn of the question's user. The wait has a bound of its own and is no
   * fault of the model.
   * @throws CochleaError `llm_busy` when none becomes free, the reason of the question's signal when that ends the wait.
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

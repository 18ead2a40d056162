import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from 'cockatiel';
import { CochleaError } from '../errors/index.js';

/** Number of consecutive failures of a user after which the user's questions are refused for a while. */
const threshold = 5;
/** Number of users with recent failures at which the model counts as unavailable. All questions are then refused. */
const awayUsers = 3;
/** Ms for which questions are refused. */
const usualRest = 30_000;
/** Maximum number of users whose failures are remembered. */
const mostUsers = 10_000;

/**
 * Errors after which it is certain that the model answered. Other errors, such as the abort of a question, do not show
 * whether the model is available.
 */
const answers: ReadonlySet<string> = new Set([
  'llm_limited',
  'llm_rejected',
  'llm_refused',
  'llm_answer_invalid',
  'translator_rejected',
  'translator_answer_invalid',
]);

type Answered<Result> = { readonly result: Result } | { readonly thrown: CochleaError };

/** Returns the outcome of a question that the model answered. @throws the error of `ask` if the model did not answer. */
const answered = async <Result>(ask: () => Promise<Result>): Promise<Answered<Result>> => {
  try {
    return { result: await ask() };
  } catch (thrown) {
    if (thrown instanceof CochleaError && answers.has(thrown.code)) return { thrown };
    throw thrown;
  }
};

export interface BreakerOptions {
  /** Code of the error that counts as a failure. The same error is thrown while questions are refused. */
  readonly unavailable?: 'llm_unavailable' | 'translator_unavailable';
  /** Ms for which questions are refused. For tests. */
  readonly rest?: number;
}

/**
 * Stops sending questions to an unavailable model, so that jobs do not wait for one timeout after another.
 *
 * After consecutive failures, a user's questions are refused for a while. Then one question of the user is tried. The
 * questions of all users are refused only if the last questions of several users failed recently and no question was
 * answered since. So if only one user's questions time out, only the questions of that user are refused.
 *
 * If the model answered another question while a question failed, the failure counts only for its own user. For the
 * refusal of all users, the failures of one user count only once. They count again after a question of that user was
 * answered. So users whose prompts always fail do not block the model for other users.
 */
export class Breaker {
  readonly #unavailable: NonNullable<BreakerOptions['unavailable']>;
  readonly #rest: number;
  /** Circuit breakers of the users who have failures since their last answered question. */
  readonly #users = new Map<string, CircuitBreakerPolicy>();
  /** Time of each user's last failed question (ms since the epoch), oldest first. An answer to any question clears the map. */
  readonly #failed = new Map<string, number>();
  /**
   * Users whose failures do not count for the refusal of all users, because their questions may cause the failures. An
   * answered question removes the user.
   */
  readonly #doubted = new Set<string>();
  /** Time of the last answer to any question (ms since the epoch). */
  #answeredAt = Number.NEGATIVE_INFINITY;

  constructor({ unavailable = 'llm_unavailable', rest = usualRest }: BreakerOptions = {}) {
    this.#unavailable = unavailable;
    this.#rest = rest;
  }

  /**
   * Runs `ask`, unless questions are refused.
   * @param uid user of the question.
   * @throws the CochleaError with the code `unavailable` of the options while questions are refused, otherwise the
   * error of `ask`.
   */
  async guard<Result>(uid: string, ask: () => Promise<Result>): Promise<Result> {
    const own = this.#breakerOf(uid);
    // While one question tests whether the user gets answers again, the user's other questions are refused immediately.
    if (this.#isAway() || own.state === CircuitState.HalfOpen) throw this.#refusal();
    const began = Date.now();
    let outcome: Answered<Result>;
    try {
      outcome = await own.execute(() => answered(ask));
    } catch (error) {
      if (error instanceof BrokenCircuitError) throw this.#refusal();
      if (this.#isFailure(error)) {
        if (this.#answeredAt > began) this.#doubt(uid);
        else this.#note(uid);
      }
      throw error;
    }
    this.#noteAnswer(uid);
    if ('thrown' in outcome) throw outcome.thrown;
    return outcome.result;
  }

  #refusal(): CochleaError {
    return new CochleaError(this.#unavailable, { why: 'it failed repeatedly and is not asked for a while' });
  }

  #isFailure(error: unknown): boolean {
    return error instanceof CochleaError && error.code === this.#unavailable;
  }

  #note(uid: string): void {
    if (this.#doubted.has(uid)) return;
    this.#failed.delete(uid);
    this.#failed.set(uid, Date.now());
  }

  #noteAnswer(uid: string): void {
    this.#answeredAt = Date.now();
    for (const other of this.#failed.keys()) this.#doubt(other);
    this.#failed.clear();
    this.#doubted.delete(uid);
    this.#users.delete(uid);
  }

  #doubt(uid: string): void {
    this.#doubted.add(uid);
    if (this.#doubted.size > mostUsers) this.#doubted.delete(this.#doubted.values().next().value!);
  }

  #isAway(): boolean {
    const lately = Date.now() - this.#rest;
    for (const [uid, at] of this.#failed) {
      if (at > lately) break;
      this.#failed.delete(uid);
      this.#doubt(uid);
    }
    return this.#failed.size >= awayUsers;
  }

  #breakerOf(uid: string): CircuitBreakerPolicy {
    const known = this.#users.get(uid);
    if (known !== undefined) return known;
    const breaker = circuitBreaker(
      handleWhen((error) => this.#isFailure(error)),
      { halfOpenAfter: this.#rest, breaker: new ConsecutiveBreaker(threshold) },
    );
    this.#users.set(uid, breaker);
    if (this.#users.size > mostUsers) this.#users.delete(this.#users.keys().next().value!);
    return breaker;
  }
}

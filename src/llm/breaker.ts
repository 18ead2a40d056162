import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from 'cockatiel';
import { CochleaError } from '../errors/index.js';

/** Failures of a user in a row, after which the questions of that user are refused for a while. */
const threshold = 5;
/** Users whose last questions all failed lately: from then on the model counts as away, and everybody's questions are refused. */
const awayUsers = 3;
/** Ms in which questions are refused. */
const usualRest = 30_000;
/** Users whose failures are remembered. */
const mostUsers = 10_000;

/** Errors with which the model has answered. Others, such as a question that was broken off, say nothing of it. */
const answers: ReadonlySet<string> = new Set([
  'llm_limited',
  'llm_rejected',
  'llm_refused',
  'llm_answer_invalid',
  'translator_rejected',
  'translator_answer_invalid',
]);

type Answered<Result> = { readonly result: Result } | { readonly thrown: CochleaError };

/** What a question came to, where the model has answered it. @throws what `ask` throws, where it has not. */
const answered = async <Result>(ask: () => Promise<Result>): Promise<Answered<Result>> => {
  try {
    return { result: await ask() };
  } catch (thrown) {
    if (thrown instanceof CochleaError && answers.has(thrown.code)) return { thrown };
    throw thrown;
  }
};

export interface BreakerOptions {
  /** The error of what is away: it counts as a failure, and is thrown while questions are refused. */
  readonly unavailable?: 'llm_unavailable' | 'translator_unavailable';
  /** Ms in which questions are refused. For tests. */
  readonly rest?: number;
}

/**
 * Keeps questions from a model that is away, so that jobs do not wait for its timeout one after the other.
 *
 * A user whose questions fail in a row is refused for a while; then one question of that user is let through. Everybody is refused only
 * while the last questions of several users have failed lately and no question was answered since, so one user's timeouts refuse that user
 * alone. The failures of a user count once, and again when a question of that user was answered: accounts whose prompts always fail do not
 * keep the model from others.
 */
export class Breaker {
  readonly #unavailable: NonNullable<BreakerOptions['unavailable']>;
  readonly #rest: number;
  /** Breakers of the users who had failures since their last answer. */
  readonly #users = new Map<string, CircuitBreakerPolicy>();
  /** When each user's last question failed (ms since the epoch), the oldest first; empty once any question was answered. */
  readonly #failed = new Map<string, number>();
  /** Users whose failures have counted once and who had no answer since: the fault may be that of their questions. */
  readonly #doubted = new Set<string>();

  constructor({ unavailable = 'llm_unavailable', rest = usualRest }: BreakerOptions = {}) {
    this.#unavailable = unavailable;
    this.#rest = rest;
  }

  /**
   * Asks, unless questions are refused.
   * @param uid whose question it is.
   * @throws CochleaError of unavailability while questions are refused, otherwise what `ask` throws.
   */
  async guard<Result>(uid: string, ask: () => Promise<Result>): Promise<Result> {
    const own = this.#breakerOf(uid);
    // While one question tries whether the user is answered again, the others are refused and do not wait for it.
    if (this.#isAway() || own.state === CircuitState.HalfOpen) throw this.#refusal();
    let outcome: Answered<Result>;
    try {
      outcome = await own.execute(() => answered(ask));
    } catch (error) {
      if (error instanceof BrokenCircuitError) throw this.#refusal();
      if (this.#isFailure(error)) this.#note(uid);
      throw error;
    }
    this.#noteAnswer(uid);
    if ('thrown' in outcome) throw outcome.thrown;
    return outcome.result;
  }

  #refusal(): CochleaError {
    return new CochleaError(this.#unavailable, { why: 'it has failed repeatedly and rests' });
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

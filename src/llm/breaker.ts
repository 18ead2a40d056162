import { CochleaError } from '../errors/index.js';

/** Failures in a row after which the model counts as away. */
const threshold = 5;
/** Ms in which a model that is away is not asked. */
const restTime = 30_000;

/** Errors with which the model has answered. Others, such as a question that was broken off, say nothing of it. */
const answers: ReadonlySet<string> = new Set([
  'llm_limited',
  'llm_rejected',
  'llm_refused',
  'llm_answer_invalid',
  'translator_rejected',
  'translator_answer_invalid',
]);

/**
 * Keeps questions from a model that is away, so that jobs do not wait for its timeout one after the other. After a rest one
 * question is let through; when it is answered, all are.
 */
export class Breaker {
  readonly #now: () => number;
  readonly #unavailable: 'llm_unavailable' | 'translator_unavailable';
  #failures = 0;
  #openUntil = 0;

  /** @param unavailable the error of what is away: it counts as a failure, and is thrown while it rests. */
  constructor(
    now: () => number = Date.now,
    unavailable: 'llm_unavailable' | 'translator_unavailable' = 'llm_unavailable',
  ) {
    this.#now = now;
    this.#unavailable = unavailable;
  }

  /** Whether questions are refused now. */
  get open(): boolean {
    return this.#now() < this.#openUntil;
  }

  /** @throws CochleaError of unavailability while the model counts as away, otherwise what `ask` throws. */
  async guard<Result>(ask: () => Promise<Result>): Promise<Result> {
    if (this.open) throw new CochleaError(this.#unavailable, { why: 'it has failed repeatedly and rests' });
    // While one question tries a model that was away, the others are refused.
    if (this.#failures >= threshold) this.#openUntil = this.#now() + restTime;
    try {
      const result = await ask();
      this.#closeAgain();
      return result;
    } catch (error) {
      if (error instanceof CochleaError && error.code === this.#unavailable) this.#fail();
      else if (error instanceof CochleaError && answers.has(error.code)) this.#closeAgain();
      throw error;
    }
  }

  #closeAgain(): void {
    this.#failures = 0;
    this.#openUntil = 0;
  }

  #fail(): void {
    this.#failures++;
    if (this.#failures >= threshold) this.#openUntil = this.#now() + restTime;
  }
}

import { isDatabaseAway } from '../store/client/index.js';

/** Ms between two questions to a database that is away. */
const probeInterval = 1000;

/**
 * Asks the database. While it is away, callers get an error at once, and one question a second finds out in the
 * background whether it answers again. Otherwise each request for a stream would wait for the timeout of its question.
 * Those of one user could then take all places for requests (`MAX_UPGRADES`).
 */
export class DatabaseOutage {
  /** Why the last question failed; undefined while the database answers. */
  #failure: unknown;
  #asking = false;
  #askedAt = Number.NEGATIVE_INFINITY;

  /** @throws the error of the question, or of the last one while the database is away. */
  async ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    if (this.#failure === undefined) return this.#try(question);
    const due = !this.#asking && performance.now() - this.#askedAt >= probeInterval;
    if (due) {
      this.#asking = true;
      this.#try(question)
        .catch(() => undefined)
        .finally(() => {
          this.#asking = false;
        });
    }
    throw this.#failure;
  }

  async #try<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await question();
      this.#failure = undefined;
      return answer;
    } catch (thrown) {
      // Another failure is that of one question.
      this.#failure = isDatabaseAway(thrown) ? thrown : undefined;
      this.#askedAt = performance.now();
      throw thrown;
    }
  }
}

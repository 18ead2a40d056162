import { isDatabaseAway } from '../store/client/index.js';

/** Minimum ms between two queries to a database that is unavailable. */
const probeInterval = 1000;

/**
 * Queries the database. While the database is unavailable, callers get an error at once, and one query a second checks
 * in the background whether the database answers again. Otherwise each request for a stream would wait for the timeout
 * of its query. The requests of one user could then use up the limit of concurrent requests (`MAX_UPGRADES`).
 */
export class DatabaseOutage {
  /** The error of the last query, if the database was unavailable; undefined while the database answers. */
  #failure: unknown;
  #asking = false;
  #askedAt = Number.NEGATIVE_INFINITY;

  /** Runs a query. @throws the query's error; while the database is unavailable, the error of the last query. */
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
      // Any other error has its cause in this query, so it does not mean an outage.
      this.#failure = isDatabaseAway(thrown) ? thrown : undefined;
      this.#askedAt = performance.now();
      throw thrown;
    }
  }
}

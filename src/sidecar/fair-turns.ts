import { UserTurns } from '../wire/user-turns.js';

/**
 * Shares the connections to the database among users, whatever number of requests each of them has: the handlers of a bounded number of
 * requests run at once, of one user about half as many, and turns go round the users that wait. One connection stays free for
 * credentials and rate limits, which are checked before.
 *
 * The number of those that wait is bounded by the front, which passes on MAX_PROXIED requests at once.
 */
export class FairTurns extends UserTurns {
  /** @param connections to the database. */
  constructor(connections: number) {
    const most = Math.max(1, connections - 1);
    super(most, Math.ceil(most / 2));
  }
}

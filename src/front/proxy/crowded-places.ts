import type { Exchange } from './exchange.js';

/**
 * Requests under way that share a limited number of places, by client. If no place is free, a new request may end a
 * slow body of the client with the most places. Otherwise a person with several addresses could take all places with
 * bodies that never end. Main thread only.
 */
export class CrowdedPlaces {
  readonly #exchanges = new Map<string, Set<Exchange>>();

  /** @param isSlow whether a request's body may be ended. `now` is `performance.now()`. */
  constructor(private readonly isSlow: (exchange: Exchange, now: number) => boolean) {}

  /** Adds a request. @param client key of the clients that share places, such as a group of addresses. */
  enter(client: string, exchange: Exchange): void {
    const own = this.#exchanges.get(client) ?? new Set();
    own.add(exchange);
    this.#exchanges.set(client, own);
  }

  /** Yields all requests, grouped by client. */
  *all(): Generator<Exchange, void, undefined> {
    for (const exchanges of this.#exchanges.values()) yield* exchanges;
  }

  leave(client: string, exchange: Exchange): void {
    const own = this.#exchanges.get(client);
    if (own?.delete(exchange) && own.size === 0) this.#exchanges.delete(client);
  }

  /**
   * Frees a place for a new request by ending one slow body. The body belongs to the client with the most places. Even
   * without this place, that client must have at least as many places as `client` has with the new request.
   * @param client key of the client that sent the new request.
   * @param now `performance.now()`.
   * @returns false if there is no such body.
   */
  freePlace(client: string, now: number): boolean {
    let most = 1 + (this.#exchanges.get(client)?.size ?? 0);
    let found: Exchange | undefined;
    for (const exchanges of this.#exchanges.values()) {
      if (exchanges.size <= most) continue;
      const slow = [...exchanges].find((exchange) => this.isSlow(exchange, now));
      if (slow === undefined) continue;
      most = exchanges.size;
      found = slow;
    }
    found?.giveWay();
    return found !== undefined;
  }
}

import type { Exchange } from './exchange.js';

/** Number of ms after which an incomplete body may be ended for another request. Bodies of pages arrive much sooner. */
const ordinaryBody = 1000;

/**
 * Requests under way that share places, by client. Their bodies are short. If no place is free, a request may end an
 * incomplete body of the client with the most places. Otherwise a person with several addresses could take all places
 * with bodies that never end. Main thread only.
 */
export class CrowdedPlaces {
  readonly #exchanges = new Map<string, Set<Exchange>>();

  /** Adds a request. @param client key of the clients that share places, such as a group of addresses. */
  enter(client: string, exchange: Exchange): void {
    const own = this.#exchanges.get(client) ?? new Set();
    own.add(exchange);
    this.#exchanges.set(client, own);
  }

  leave(client: string, exchange: Exchange): void {
    const own = this.#exchanges.get(client);
    if (own?.delete(exchange) && own.size === 0) this.#exchanges.delete(client);
  }

  /**
   * Ends one body to free a place for a request, if another client then still has as many places as this one.
   * @param now `performance.now()`.
   */
  freePlace(client: string, now: number): void {
    let most = 1 + (this.#exchanges.get(client)?.size ?? 0);
    let found: Exchange | undefined;
    for (const exchanges of this.#exchanges.values()) {
      if (exchanges.size <= most) continue;
      const late = [...exchanges].find((exchange) => exchange.bodyAge(now) > ordinaryBody);
      if (late === undefined) continue;
      most = exchanges.size;
      found = late;
    }
    found?.giveWay();
  }
}

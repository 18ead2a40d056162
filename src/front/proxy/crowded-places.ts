import type { Exchange } from './exchange.js';

/**
 * After this many ms, an incomplete body may be ended to free its place for another request. The bodies that pages of
 * the console send are complete much sooner.
 */
const ordinaryBody = 1000;

/**
 * The console's requests under way, by client. They share a limited number of places, and their bodies are short. If no
 * place is free, a new request may end an incomplete body of the client with the most places. Otherwise a person with
 * several addresses could take all places with bodies that never end. Main thread only.
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
   * Frees a place for a new request by ending one incomplete body that is older than `ordinaryBody`. The body belongs
   * to the client with the most places. That client must then still have at least as many places as `client`, including
   * the new request. If there is no such body, ends nothing.
   * @param client key of the client that sent the new request.
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

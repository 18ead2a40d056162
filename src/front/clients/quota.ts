import { UserSums } from '../../common/index.js';
import type { ClientAddress } from '../../identity/index.js';

/**
 * Counts open requests or streams, in total and per client address. An address without an open request or stream takes
 * no memory.
 */
export class Quota {
  readonly #counts = new UserSums();

  constructor(
    private readonly total: number,
    private readonly perAddress: number,
  ) {}

  get isFull(): boolean {
    return this.#counts.all >= this.total;
  }

  /** Returns whether this client has as many open requests or streams as the limit per address permits. */
  exhausted(client: ClientAddress): boolean {
    return !client.exempt && this.#counts.of(client.group) >= this.perAddress;
  }

  /** Adds one to the count, without checking the limits. The caller must call `leave` exactly once afterwards. */
  enter(client: ClientAddress): void {
    this.#counts.add(client.group, 1);
  }

  leave(client: ClientAddress): void {
    this.#counts.add(client.group, -1);
  }
}

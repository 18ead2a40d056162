import { UserSums } from '../../common/index.js';
import type { ClientAddress } from '../../identity/index.js';

/** Counts what is under way, in all and for each client address. Bounded by its total. */
export class Quota {
  readonly #total: number;
  readonly #perAddress: number;
  readonly #counts = new UserSums();

  constructor(total: number, perAddress: number) {
    this.#total = total;
    this.#perAddress = perAddress;
  }

  get isFull(): boolean {
    return this.#counts.all >= this.#total;
  }

  /** Whether this client has all that one address may have. */
  exhausted(client: ClientAddress): boolean {
    return !client.exempt && this.#counts.of(client.group) >= this.#perAddress;
  }

  /** Counts one more, without asking whether it fits; exactly one `leave` has to follow. */
  enter(client: ClientAddress): void {
    this.#counts.add(client.group, 1);
  }

  leave(client: ClientAddress): void {
    this.#counts.add(client.group, -1);
  }
}

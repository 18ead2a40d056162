import type { ClientAddress } from '../../identity/index.js';

/** Counts what is under way, in all and for each client address. Bounded by its total. */
export class Quota {
  readonly #total: number;
  readonly #perAddress: number;
  readonly #counts = new Map<string, number>();
  #all = 0;

  constructor(total: number, perAddress: number) {
    this.#total = total;
    this.#perAddress = perAddress;
  }

  get isFull(): boolean {
    return this.#all >= this.#total;
  }

  /** Whether this client has all that one address may have. */
  exhausted(client: ClientAddress): boolean {
    return !client.exempt && (this.#counts.get(client.group) ?? 0) >= this.#perAddress;
  }

  /** Counts one more, without asking whether it fits; exactly one `leave` has to follow. */
  enter(client: ClientAddress): void {
    this.#all++;
    this.#counts.set(client.group, (this.#counts.get(client.group) ?? 0) + 1);
  }

  leave(client: ClientAddress): void {
    this.#all--;
    const count = (this.#counts.get(client.group) ?? 0) - 1;
    if (count > 0) this.#counts.set(client.group, count);
    else this.#counts.delete(client.group);
  }
}

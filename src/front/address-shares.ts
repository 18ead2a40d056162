/**
 * Counts what each client address holds of something scarce, so that one address cannot take all of it. The map holds
 * only addresses that hold something now.
 */
export class AddressShares {
  readonly #share: number;
  readonly #held = new Map<string, number>();

  /** @param share how much one address may hold. */
  constructor(share: number) {
    this.#share = share;
  }

  /** Takes one for an address; false when it holds its share already. */
  take(address: string): boolean {
    const held = this.#held.get(address) ?? 0;
    if (held >= this.#share) return false;
    this.#held.set(address, held + 1);
    return true;
  }

  /** Gives back one that `take` gave. */
  giveBack(address: string): void {
    const held = this.#held.get(address) ?? 0;
    if (held > 1) this.#held.set(address, held - 1);
    else this.#held.delete(address);
  }
}

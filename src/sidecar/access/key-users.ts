/** Keys that are remembered. */
const remembered = 10_000;

/** A key that was accepted lately. */
export interface KnownKey {
  /** Of the key's secret. */
  readonly hash: string;
  readonly uid: string;
}

/**
 * The users of keys that were accepted lately. It says in whose turn a request may be handled, and never whether it may be: that is
 * asked of the database each time. A secret belongs to one user for good. The key that was added first is forgotten first.
 */
export class KeyUsers {
  readonly #users = new Map<string, KnownKey>();

  /** @param hash of the key's secret. */
  add(hash: string, uid: string): void {
    if (this.#users.has(hash)) return;
    this.#users.set(hash, { hash, uid });
    if (this.#users.size > remembered) this.#users.delete(this.#users.keys().next().value!);
  }

  find(hash: string): KnownKey | undefined {
    return this.#users.get(hash);
  }

  remove(hash: string): void {
    this.#users.delete(hash);
  }
}

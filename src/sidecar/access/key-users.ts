/** Maximum number of keys that are remembered. */
const remembered = 10_000;

/** A recently accepted key. */
export interface KnownKey {
  /** Hash of the key's secret. */
  readonly hash: string;
  readonly uid: string;
}

/**
 * The users of recently accepted keys. They only decide which user's turn a request takes; the database authorizes every request. A secret
 * always belongs to the same user. The key that was added first is forgotten first.
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

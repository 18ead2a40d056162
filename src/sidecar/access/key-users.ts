/** Maximum number of keys that are remembered. */
const remembered = 10_000;

/** A recently accepted key. */
export interface KnownKey {
  /** Hash of the key's secret. */
  readonly hash: string;
  readonly uid: string;
}

/**
 * Remembers the user of each recently accepted key. This user only decides in which queue a request waits; the
 * database authorizes every request. The user of a key never changes. When the map is full, the key that was added
 * first is removed.
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

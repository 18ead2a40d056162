/**
 * Caches translated sentences by user, language and sentence. Removes the least recently used entries first. Users have separate entries: a
 * translation may depend on the context of its request, and no user may influence another user's text.
 */
export class TranslationCache {
  readonly #entries = new Map<string, string>();
  #size = 0;

  /** @param most maximum number of characters of all sentences, translations and keys. */
  constructor(private readonly most: number) {}

  get(uid: string, target: string, sentence: string): string | undefined {
    const key = keyOf(uid, target, sentence);
    const found = this.#entries.get(key);
    if (found === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, found);
    return found;
  }

  set(uid: string, target: string, sentence: string, translation: string): void {
    const key = keyOf(uid, target, sentence);
    this.#remove(key);
    this.#entries.set(key, translation);
    this.#size += key.length + translation.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.most) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    const found = this.#entries.get(key);
    if (found === undefined) return;
    this.#entries.delete(key);
    this.#size -= key.length + found.length;
  }
}

const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts);

import type { ApiKeyRow } from './api-keys.js';

/** A key parsed from its JSON document. */
export interface DocumentedKey {
  readonly key: ApiKeyRow;
  /** Whether the user's account is being deleted. */
  readonly deleting: boolean;
}

/** The JSON form of a key. */
type KeyDocument = Omit<ApiKeyRow, 'created_at' | 'last_used_at'> & {
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly deleting: boolean;
};

const parsed = (document: Buffer): DocumentedKey => {
  const {
    created_at: created,
    last_used_at: used,
    deleting,
    ...rest
  } = JSON.parse(document.toString()) as KeyDocument;
  const key = { ...rest, created_at: new Date(created), last_used_at: used === null ? null : new Date(used) };
  return { key, deleting };
};

/** Maximum number of cached documents. Each has about 400 bytes. */
const remembered = 10_000;

/**
 * Parses the JSON documents of keys, and caches each result until the document changes. A key's document changes at
 * most once a minute, and parsing takes 4 % of a request's processor time. The caller reads the document from the
 * database each time, so the result is never stale. The cache evicts the document that was added first.
 */
export class KeyDocuments {
  readonly #known = new Map<string, { readonly document: Buffer; readonly said: DocumentedKey }>();

  /**
   * Returns a key's parsed document.
   * @param hash hash of the key's secret.
   * @param document bytes of the document. The cache copies the bytes, because they are part of a connection's buffer.
   */
  read(hash: string, document: Buffer): DocumentedKey {
    const known = this.#known.get(hash);
    if (known?.document.equals(document)) return known.said;
    const said = parsed(document);
    this.#known.set(hash, { document: Buffer.from(document), said });
    if (this.#known.size > remembered) this.#known.delete(this.#known.keys().next().value!);
    return said;
  }
  /** Removes a key that no longer exists from the cache. */
  forget(hash: string): void {
    this.#known.delete(hash);
  }
}

import type { ApiKeyRow } from './api-keys.js';

/** What the document of a key says. */
export interface DocumentedKey {
  readonly key: ApiKeyRow;
  /** Whether its user's account is being deleted. */
  readonly deleting: boolean;
}

/** A key as a JSON document has it. */
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

/** Documents that are remembered, of about 400 bytes each. */
const remembered = 10_000;

/**
 * Parses the documents of keys, of one that is as it was the last time only once: a key's document stays the same for a minute, and to
 * parse it is a twenty-fifth of the processor time of a request. The database is asked for the document each time, so that nothing
 * that is said of a key is older than the answer. The document that was added first is forgotten first.
 */
export class KeyDocuments {
  readonly #known = new Map<string, { readonly document: Buffer; readonly said: DocumentedKey }>();

  /**
   * @param hash of the key's secret.
   * @param document is copied where it is kept, because it lies in a buffer of the connection.
   */
  read(hash: string, document: Buffer): DocumentedKey {
    const known = this.#known.get(hash);
    if (known?.document.equals(document)) return known.said;
    const said = parsed(document);
    this.#known.set(hash, { document: Buffer.from(document), said });
    if (this.#known.size > remembered) this.#known.delete(this.#known.keys().next().value!);
    return said;
  }
  /** Forgets a key that is no more. */
  forget(hash: string): void {
    this.#known.delete(hash);
  }
}

import { CochleaError } from '../errors/index.js';

/** Unfinished images remembered for one socket; over it the oldest is forgotten. */
const assembliesKept = 50;
/** An image whose chunks stop coming is forgotten after this, in ms. */
const assemblyLifetime = 60_000;

/** Holds the chunks of an image to the count its first chunk announced. Image data is not kept. */
export class ImageAssemblies {
  readonly #totals = new Map<string, { readonly total: number; readonly at: number }>();

  /** @throws CochleaError image_chunk_invalid when the count differs from the first chunk's. */
  add(chunk: { readonly id: string; readonly total: number }, now: number): void {
    for (const [id, { at }] of this.#totals) {
      if (now - at < assemblyLifetime) break;
      this.#totals.delete(id);
    }
    const known = this.#totals.get(chunk.id);
    if (known !== undefined && known.total !== chunk.total) {
      throw new CochleaError('image_chunk_invalid', { why: "total must equal the first chunk's total" });
    }
    if (known !== undefined) return;
    if (this.#totals.size >= assembliesKept) {
      const [oldest] = this.#totals.keys();
      this.#totals.delete(oldest!);
    }
    this.#totals.set(chunk.id, { total: chunk.total, at: now });
  }
}

/**
 * A queue that is fair between streams: one item of each waiting stream in turn, first in first out within a stream.
 * A stream that floods waits behind its own items only.
 */
export class FairQueue<Item> {
  /** Insertion order is the turn order: a served stream that has more goes to the end. */
  readonly #streams = new Map<string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(stream: string, item: Item): void {
    const waiting = this.#streams.get(stream);
    if (waiting) waiting.push(item);
    else this.#streams.set(stream, [item]);
    this.#size++;
  }

  /** Takes the next item, or nothing when the queue is empty. */
  shift(): Item | undefined {
    const turn = this.#streams.entries().next();
    if (turn.done) return undefined;
    const [stream, waiting] = turn.value;
    const item = waiting.shift();
    this.#streams.delete(stream);
    if (waiting.length > 0) this.#streams.set(stream, waiting);
    this.#size--;
    return item;
  }

  /** The item each waiting stream would give next. */
  *heads(): IterableIterator<Item> {
    for (const [item] of this.#streams.values()) if (item !== undefined) yield item;
  }

  /** Takes out every item that matches, in turn order. */
  take(matches: (item: Item) => boolean): Item[] {
    const taken: Item[] = [];
    for (const [stream, waiting] of [...this.#streams]) {
      const left = waiting.filter((item) => !matches(item));
      if (left.length === waiting.length) continue;
      taken.push(...waiting.filter(matches));
      this.#size -= waiting.length - left.length;
      if (left.length === 0) this.#streams.delete(stream);
      else this.#streams.set(stream, left);
    }
    return taken;
  }
}

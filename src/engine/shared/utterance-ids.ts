/** Ids of utterances: those of the shards of a process never meet. */
export class UtteranceIds {
  #next: number;

  /** @param shard number of the shard. */
  constructor(shard: number) {
    this.#next = shard * 2 ** 40;
  }

  next(): number {
    return this.#next++;
  }
}

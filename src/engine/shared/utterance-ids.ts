/** Issues ids of utterances. Two shards of a process never issue the same id. */
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

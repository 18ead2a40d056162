import { RecordKind, type RingProducer, ringClock } from '../ring/index.js';

interface WaitingRecord {
  readonly kind: number;
  readonly slot: number;
  readonly payload: Uint8Array;
  readonly arrival: number;
}

const retryDelay = 2;

/**
 * Control records (open, text, close, drain) on their way into one shard's ring. They are never dropped: what finds no
 * room waits here, in order, and is tried again on the next write and every 2 ms.
 *
 * While something waits, no audio may go into that ring: the caller drops it. That keeps the order of every slot (audio
 * cannot overtake its own open or text) without looking at slots, and the ring is full then anyway.
 */
export class ControlQueue {
  readonly #producer: RingProducer;
  readonly #limit: number;
  readonly #waiting: WaitingRecord[] = [];
  readonly #onQueued: () => void;
  #bytes = 0;
  #retry: NodeJS.Timeout | undefined;

  /**
   * @param limit bytes of payload that may wait before opens and texts are refused; closes and drains are always taken
   *   (their number is bounded by the slots).
   * @param onQueued called once for each record that has to wait.
   */
  constructor(producer: RingProducer, limit: number, onQueued: () => void) {
    this.#producer = producer;
    this.#limit = limit;
    this.#onQueued = onQueued;
  }

  /** How many records wait. */
  get length(): number {
    return this.#waiting.length;
  }

  /**
   * Writes a record, or makes it wait (its payload is copied then).
   * @returns false when too much waits already and the record is an open or a text: it was not taken.
   */
  write(kind: number, slot: number, payload: Uint8Array): boolean {
    const arrival = ringClock();
    if (this.flush() && this.#producer.write(kind, slot, payload, arrival)) return true;
    const refusable = kind === RecordKind.open || kind === RecordKind.text;
    if (refusable && this.#bytes + payload.length > this.#limit) return false;
    this.#waiting.push({ kind, slot, payload: payload.slice(), arrival });
    this.#bytes += payload.length;
    this.#onQueued();
    this.#arm();
    return true;
  }

  /** Moves what fits into the ring. Returns true when nothing waits any more. */
  flush(): boolean {
    if (this.#waiting.length === 0) return true;
    let moved = 0;
    for (const { kind, slot, payload, arrival } of this.#waiting) {
      if (!this.#producer.write(kind, slot, payload, arrival)) break;
      this.#bytes -= payload.length;
      moved++;
    }
    this.#waiting.splice(0, moved);
    return this.#waiting.length === 0;
  }

  /** Forgets everything that waits: the shard is dead. */
  clear(): void {
    this.#waiting.length = 0;
    this.#bytes = 0;
    clearTimeout(this.#retry);
    this.#retry = undefined;
  }

  #arm(): void {
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      if (!this.flush()) this.#arm();
    }, retryDelay);
  }
}

import { fixedLimits } from '../../config/limits/index.js';
import { type RingProducer, recordHeaderBytes } from '../../ring/index.js';

interface TextInRing {
  readonly slot: number;
  readonly bytes: number;
  /** Ring position of the text's end. */
  readonly end: number;
}

const { textsInRing, textsInRingPerSlot } = fixedLimits;

/**
 * Tracks the texts in one ring that are not yet released. All texts together may occupy only a part of the ring, and
 * the texts of one slot a smaller part. The remaining space is for audio. Main thread only.
 */
export class TextsInRing {
  readonly #share: number;
  readonly #sharePerSlot: number;
  readonly #bySlot = new Map<number, number>();
  /** Texts in the order of the ring. */
  #texts: TextInRing[] = [];
  #bytes = 0;

  constructor(private readonly producer: RingProducer) {
    this.#share = (producer.size * textsInRing.value) / 100;
    this.#sharePerSlot = (producer.size * textsInRingPerSlot.value) / 100;
  }

  /**
   * Returns whether a text may be written now. A text that is larger than its slot's part of the ring may be written
   * when the ring contains no other text.
   */
  admits(slot: number, length: number): boolean {
    const bytes = length + recordHeaderBytes;
    const own = this.#bySlot.get(slot) ?? 0;
    if (this.#fits(own, bytes)) return true;
    // Released texts are removed only when space is needed, because the search for them costs time.
    this.#reap();
    return this.#fits(this.#bySlot.get(slot) ?? 0, bytes);
  }

  /** Records a text that was just written. */
  note(slot: number, length: number): void {
    const bytes = length + recordHeaderBytes;
    this.#texts.push({ slot, bytes, end: this.producer.written });
    this.#bySlot.set(slot, (this.#bySlot.get(slot) ?? 0) + bytes);
    this.#bytes += bytes;
  }

  #fits(own: number, bytes: number): boolean {
    return this.#bytes === 0 || (own + bytes <= this.#sharePerSlot && this.#bytes + bytes <= this.#share);
  }

  #reap(): void {
    const released = this.producer.released();
    let gone = 0;
    for (const { slot, bytes, end } of this.#texts) {
      if (((released - end) | 0) < 0) break;
      const left = this.#bySlot.get(slot)! - bytes;
      if (left === 0) this.#bySlot.delete(slot);
      else this.#bySlot.set(slot, left);
      this.#bytes -= bytes;
      gone++;
    }
    this.#texts.splice(0, gone);
  }
}

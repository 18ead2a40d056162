import { numberIn } from '../wire/index.js';

/** Most labels of a conversation with their own number. Further labels get the number at their end, or 0. */
const mostLabels = 1000;

/** Numbers the speaker labels of a client's own segments as they arrive. Distinct labels of a conversation get distinct numbers. */
export class SpeakerNumbers {
  readonly #numbers = new Map<string, number>();
  readonly #taken = new Set<number>();

  /** @param known stored labels with their numbers. */
  constructor(known: readonly { readonly label: string; readonly number: number }[] = []) {
    for (const { label, number } of known) this.numberOf(label, number);
  }

  /** @param given the client's own number. The label keeps it from now on, unless it already has one. */
  numberOf(label: string, given?: number): number {
    const known = this.#numbers.get(label);
    const number = given ?? known ?? this.#free(label);
    if (known === undefined && this.#numbers.size < mostLabels) {
      this.#numbers.set(label, number);
      this.#taken.add(number);
    }
    return number;
  }

  /** The number at the end of a label, if no other label has it; else the smallest unused number. */
  #free(label: string): number {
    const wanted = numberIn(label);
    if (this.#numbers.size >= mostLabels) return wanted ?? 0;
    if (wanted !== null && !this.#taken.has(wanted)) return wanted;
    let number = 0;
    while (this.#taken.has(number)) number++;
    return number;
  }
}

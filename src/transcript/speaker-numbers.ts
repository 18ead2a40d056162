import { numberIn } from '../wire/index.js';

/** Labels whose numbers are kept for one conversation. The labels beyond them get the number at their end, or 0. */
const mostLabels = 1000;

/** Numbers the labels of a client's own segments while they come: distinct labels of one conversation get distinct numbers. */
export class SpeakerNumbers {
  readonly #numbers = new Map<string, number>();
  readonly #taken = new Set<number>();

  /** @param known labels and numbers that are stored already. */
  constructor(known: readonly { readonly label: string; readonly number: number }[] = []) {
    for (const { label, number } of known) this.numberOf(label, number);
  }

  /** @param given the client's own number, which counts for the label from now on unless the label has one. */
  numberOf(label: string, given?: number): number {
    const known = this.#numbers.get(label);
    const number = given ?? known ?? this.#free(label);
    if (known === undefined && this.#numbers.size < mostLabels) {
      this.#numbers.set(label, number);
      this.#taken.add(number);
    }
    return number;
  }

  /** The number at the end of a label, if no other label has it; else the smallest free one. */
  #free(label: string): number {
    const wanted = numberIn(label);
    if (this.#numbers.size >= mostLabels) return wanted ?? 0;
    if (wanted !== null && !this.#taken.has(wanted)) return wanted;
    let number = 0;
    while (this.#taken.has(number)) number++;
    return number;
  }
}

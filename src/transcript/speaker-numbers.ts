import { numberIn } from '../wire/index.js';

/**
 * Maximum number of labels of a conversation that get distinct numbers. Each further label gets the number that it ends
 * with, or 0.
 */
const mostLabels = 1000;

/**
 * Assigns numbers to the speaker labels of segments that a client transcribed itself. Each label of a conversation
 * gets a different number.
 */
export class SpeakerNumbers {
  readonly #numbers = new Map<string, number>();
  readonly #taken = new Set<number>();

  /** @param known stored labels with their numbers. */
  constructor(known: readonly { readonly label: string; readonly number: number }[] = []) {
    for (const { label, number } of known) this.numberOf(label, number);
  }

  /**
   * Returns the number of a label.
   * @param given the number that the client sent with the label. It is returned. If the label has no number yet, the
   * label keeps it for later calls.
   */
  numberOf(label: string, given?: number): number {
    const known = this.#numbers.get(label);
    const number = given ?? known ?? this.#free(label);
    if (known === undefined && this.#numbers.size < mostLabels) {
      this.#numbers.set(label, number);
      this.#taken.add(number);
    }
    return number;
  }

  /** Returns the number at the end of a label, if no other label has it; otherwise the smallest unused number. */
  #free(label: string): number {
    const wanted = numberIn(label);
    if (this.#numbers.size >= mostLabels) return wanted ?? 0;
    if (wanted !== null && !this.#taken.has(wanted)) return wanted;
    let number = 0;
    while (this.#taken.has(number)) number++;
    return number;
  }
}

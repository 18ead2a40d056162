const plain = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** Whether two words are the same but for case and punctuation. */
export const sameWord = (a: string, b: string): boolean => plain(a) === plain(b);

/** How many words two texts have in common from their beginning; case and punctuation are not compared. */
const common = (a: readonly string[], b: readonly string[]): number => {
  let count = 0;
  while (count < a.length && count < b.length && sameWord(a[count]!, b[count]!)) count++;
  return count;
};

/**
 * Decides which words of an utterance that goes on are shown. Each time it is transcribed, further and with more behind its last words; what two
 * consecutive texts begin with alike is shown (LocalAgreement-2: Liu, Spanakis and Niehues, 2020). So is what one text alone says of speech that
 * has enough audio behind it, where it begins with what is shown already: under load the next text may be seconds away. Words that are shown are
 * taken back only by as many others on which two texts agree.
 */
export class Agreement {
  #previous: readonly string[] = [];
  #shown: readonly string[] = [];

  /**
   * Takes the next text.
   * @param whole it ends in a pause, so that all of it is shown.
   * @param settled how many of its first words have so much audio behind them that more will hardly change them.
   * @returns how many of its words are to be shown now; undefined when that changes nothing.
   */
  take(words: readonly string[], whole: boolean, settled = 0): number | undefined {
    const goesOn = common(this.#shown, words) === this.#shown.length;
    const count = whole ? words.length : Math.max(common(this.#previous, words), goesOn ? settled : 0);
    this.#previous = words;
    if (count === 0 || (!whole && count < this.#shown.length)) return undefined;
    const show = words.slice(0, count);
    if (count === this.#shown.length && common(show, this.#shown) === count) return undefined;
    this.#shown = show;
    return count;
  }

  /** Notes that further words are shown behind the others, which no text had as a whole. */
  extend(words: readonly string[]): void {
    this.#shown = [...this.#shown, ...words];
  }
}

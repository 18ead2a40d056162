const plain = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** Whether two words are the same, ignoring case and punctuation. */
export const sameWord = (a: string, b: string): boolean => plain(a) === plain(b);

/** Returns the number of words that two texts have in common from their beginning. Case and punctuation are ignored. */
const common = (a: readonly string[], b: readonly string[]): number => {
  let count = 0;
  while (count < a.length && count < b.length && sameWord(a[count]!, b[count]!)) count++;
  return count;
};

/**
 * Decides which words of an open utterance are sent to clients (shown). The utterance is transcribed again and again,
 * each time with more audio. Words are shown when two consecutive texts both begin with them (LocalAgreement-2: Liu,
 * Spanakis and Niehues, 2020). Words of a single text are also shown if enough audio follows them and the text
 * continues the shown words. They are shown early, because under load the next text may arrive seconds later. Shown
 * words are replaced only when two texts agree on at least as many other words.
 */
export class Agreement {
  #previous: readonly string[] = [];
  #shown: readonly string[] = [];

  /**
   * Adds the next text.
   * @param whole whether the text ends in a pause, so that all of it is shown.
   * @param settled number of words at the beginning that will hardly change, because enough audio follows them.
   * @returns the number of words to show now; undefined if the shown words stay the same.
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

  /**
   * Records that further words are shown after the shown words. This is needed because no single text contained all of
   * them.
   */
  extend(words: readonly string[]): void {
    this.#shown = [...this.#shown, ...words];
  }
}

/** A word of a decoded text, without the punctuation around it. */
export interface TextWord {
  readonly text: string;
  /** Index of the word's first token. */
  readonly from: number;
  /** Index behind the word's last token. */
  readonly to: number;
  /** Whether the word's first token begins with a space. */
  readonly spaced: boolean;
  /**
   * Whether punctuation separates the word from the next word. If so, the two words do not belong to the same phrase.
   */
  readonly last: boolean;
}

const wordPart = /[\p{L}\p{M}\p{N}]/u;
const whole = /^[\p{L}\p{M}\p{N}](.*[\p{L}\p{M}\p{N}])?$/su;
const possessive = /['\u2019]s?$/iu;
/** A hyphen, which joins two words. Models also write it between words that they do not know. */
const hyphen = /^[-\u2010\u2011]$/u;

const wordOf = (tokens: readonly string[], start: number, end: number): TextWord | undefined => {
  // A token without a character is the beginning of a character of several bytes.
  const isPart = (index: number): boolean => tokens[index] === '' || wordPart.test(tokens[index]!);
  let from = start;
  let to = end;
  while (from < to && !isPart(from)) from++;
  while (to > from && !isPart(to - 1)) to--;
  const text = (): string => tokens.slice(from, to).join('').trim();
  while (to - from > 1 && possessive.test(text())) to--;
  if (!whole.test(text())) return undefined;
  const spaced = /^\s/u.test(tokens[from]!);
  const after = tokens
    .slice(to, end)
    .join('')
    .replace(/^['\u2019]s/iu, '');
  return { text: text(), from, to, spaced, last: after !== '' };
};

/**
 * Returns the words of a text. A hyphen separates words, and a possessive "'s" is not part of its word. A word that
 * shares a token with punctuation is left out, and ends the phrase before it.
 * @param tokens of the text. A token that begins with white space begins a word.
 */
export const textWords = (tokens: readonly string[]): TextWord[] => {
  const starts = tokens.flatMap((token, index) => {
    if (index === 0 || /^\s/u.test(token)) return [{ at: index, before: index }];
    return hyphen.test(token) ? [{ at: index + 1, before: index }] : [];
  });
  const words: TextWord[] = [];
  for (const [index, { at }] of starts.entries()) {
    const word = wordOf(tokens, at, starts[index + 1]?.before ?? tokens.length);
    const before = words.at(-1);
    if (word !== undefined) words.push(word);
    else if (before !== undefined) words[words.length - 1] = { ...before, last: true };
  }
  return words;
};

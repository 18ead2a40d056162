import { shownAbbreviations, taggedWords } from '../language/index.js';

/** A word of a text, without the marks around the word. */
export interface Word {
  readonly text: string;
  readonly low: string;
  /** Part of speech in the notation of Universal Dependencies, such as NOUN. */
  readonly tag: string;
  readonly lemma: string;
  readonly index: number;
  readonly end: number;
  /** The marks after the word, up to the next word. */
  readonly after: string;
}

const marks = /[.,;:!?…"”’)\]—–]+$/u;

/**
 * Splits a text at spaces into words, with the parts of speech of wink-nlp. Punctuation marks inside a word belong to
 * the word ("5:30", "ann@example.org"). The full stop of an abbreviation that wink-nlp knows also belongs to the word
 * ("p.m.", "Dr.").
 * @param before words before the text, so that its first word is tagged in context.
 */
export const wordsOf = (text: string, before = ''): Word[] => {
  const whole = `${before}${text}`;
  const shown = shownAbbreviations(whole);
  const tokens: { tag: string; lemma: string; index: number; end: number }[] = [];
  let from = 0;
  for (const { text: token, tag, lemma } of taggedWords(shown)) {
    const index = shown.indexOf(token, from);
    if (index < 0) continue;
    tokens.push({ tag, lemma, index, end: index + token.length });
    from = index + token.length;
  }
  const words: Word[] = [];
  let at = 0;
  for (const match of whole.matchAll(/\S+/gu)) {
    while (at < tokens.length - 1 && tokens[at]!.end <= match.index) at++;
    if (match.index < before.length) continue;
    const closing = marks.exec(match[0])?.[0] ?? '';
    const opening = /^["“(‘]+/u.exec(match[0])?.[0] ?? '';
    let end = match.index + match[0].length - closing.length;
    let after = closing;
    const stop = end;
    const covering = tokens.find((token) => token.index < stop && token.end > stop);
    // The full stop of an abbreviation belongs to the word.
    if (closing.startsWith('.') && covering) {
      end++;
      after = closing.slice(1);
    }
    const index = match.index + opening.length;
    if (end <= index) {
      // A mark that stands alone belongs to the word before it.
      const previous = words.at(-1);
      if (previous) words[words.length - 1] = { ...previous, after: `${previous.after} ${match[0]}` };
      continue;
    }
    const token = tokens[at];
    const said = whole.slice(index, end);
    words.push({
      text: said,
      low: said.toLowerCase(),
      tag: token?.tag ?? 'X',
      lemma: token?.lemma ?? said.toLowerCase(),
      index: index - before.length,
      end: end - before.length,
      after,
    });
  }
  return words;
};

import { fixedLimits } from '../config/limits.js';

/** Most characters (UTF-16 units) of a segment's text. */
export const longestText = fixedLimits.segmentText.value;
/** Longest duration (seconds) of a joined segment. */
export const longestSegment = fixedLimits.segmentDuration.value;
/** Least characters of a piece: a segment that lasts long but has few words is not cut into shorter pieces. */
const shortestPiece = 200;

/** Characters before a bound in which the end of a word without spaces is searched, and characters after it as context. */
const wordWindow = { before: 256, after: 64 } as const;
/** Finds word boundaries in languages without spaces, such as Chinese, Japanese, Thai and Khmer, by dictionary. */
const wordSegmenter = new Intl.Segmenter('und', { granularity: 'word' });
const space = /\s/;
const enderWithoutSpace = /[。！？।॥]/;

/** Whether a text is short enough for one segment. */
export const fitsText = (text: string): boolean => text.length <= longestText;

/**
 * Cuts a text into pieces of at most the allowed length: at white space if there is any, else after the end of a sentence,
 * else between words, and within a word only when the word alone is longer than a piece. Only white space at the cuts is
 * left out.
 * @param longest UTF-16 units of a piece, at least 2.
 * @returns the pieces, trimmed; none for a blank text.
 */
export const splitText = (text: string, longest: number = longestText): string[] => {
  const pieces: string[] = [];
  let rest = text.trim();
  while (rest.length > longest) {
    const cut = cutOf(rest, longest);
    pieces.push(rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut).trimStart();
  }
  if (rest !== '') pieces.push(rest);
  return pieces;
};

/** Most characters of each piece of a text, so that the pieces keep the bounds of length and duration. */
export const pieceLength = (length: number, duration: number): number => {
  const pieces = Math.max(1, Math.ceil(duration / longestSegment));
  return Math.min(longestText, Math.max(shortestPiece, Math.ceil(length / pieces)));
};

/** Index at which to cut a trimmed text that is longer than `longest`: above 0 and at most `longest`. */
const cutOf = (text: string, longest: number): number => {
  const half = longest >> 1;
  let first = 0;
  for (let at = longest; at > 0; at--) {
    if (space.test(text[at]!)) {
      first = at;
      break;
    }
  }
  if (first >= half) return first;
  for (let at = longest; at > half; at--) if (enderWithoutSpace.test(text[at - 1]!)) return at;
  return wordCut(text, longest) || first || wholeCharacters(text, longest);
};

/** @returns the last end of a word near `longest`, or 0. */
const wordCut = (text: string, longest: number): number => {
  const start = wholeCharacters(text, Math.max(0, longest - wordWindow.before));
  let cut = 0;
  for (const { index } of wordSegmenter.segment(text.slice(start, longest + wordWindow.after))) {
    if (start + index > longest) break;
    if (index > 0) cut = start + index;
  }
  return cut;
};

/** Moves an index back by one where it would split a pair of surrogates. */
const wholeCharacters = (text: string, at: number): number =>
  at > 1 && /^[\uDC00-\uDFFF]/.test(text.slice(at)) && /[\uD800-\uDBFF]$/.test(text.slice(0, at))
    ? at - 1
    : at;

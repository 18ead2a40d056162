import { fixedLimits } from '../config/limits/index.js';

/** Maximum number of characters (UTF-16 units) of a segment's text. */
export const longestText = fixedLimits.segmentText.value;
/** Maximum duration of a joined segment, in seconds. */
export const longestSegment = fixedLimits.segmentDuration.value;
/**
 * Lower bound for the maximum length of a piece, in characters. Without it, a segment that lasts long but has few words
 * would be split into tiny pieces.
 */
const shortestPiece = 200;

/**
 * Number of characters that are searched for a word boundary in text without spaces: at most `before` characters before
 * the length limit, and `after` characters after it. Words in such scripts are shorter than these values. The window
 * limits the time that a cut takes.
 */
const wordWindow = { before: 128, after: 64 } as const;
/**
 * Finds word boundaries with a dictionary. Used for languages without spaces, such as Chinese, Japanese, Thai and
 * Khmer.
 */
const wordSegmenter = new Intl.Segmenter('und', { granularity: 'word' });
const codesOf = (characters: string): ReadonlySet<number> =>
  new Set(Array.from(characters, (character) => character.charCodeAt(0)));
/** Codes of the white space outside ASCII that `\s` of a regular expression matches. */
const wideSpaces = codesOf(
  '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
);
const endersWithoutSpace = codesOf('。！？।॥');

/** Whether a text is short enough for one segment. */
export const fitsText = (text: string): boolean => text.length <= longestText;

/**
 * Splits a text into pieces of at most the allowed length. It cuts at white space if possible, otherwise after a
 * sentence, otherwise between words. It cuts inside a word only if the word is longer than a piece. Only white
 * space at the cuts is dropped.
 * @param longest maximum number of UTF-16 units of a piece, at least 2.
 * @returns the pieces, trimmed; empty for a blank text.
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

/**
 * Returns the maximum number of characters for the pieces of a text, so that each stays within the limits of length
 * and duration.
 */
export const pieceLength = (length: number, duration: number): number => {
  const pieces = Math.max(1, Math.ceil(duration / longestSegment));
  return Math.min(longestText, Math.max(shortestPiece, Math.ceil(length / pieces)));
};

/**
 * Returns the index at which to cut a trimmed text that is longer than `longest`. The index is above 0 and at most
 * `longest`.
 */
const cutOf = (text: string, longest: number): number => {
  const half = Math.max(1, longest >> 1);
  for (let at = longest; at >= half; at--) if (isSpace(text.charCodeAt(at))) return at;
  for (let at = longest; at > half; at--) if (endersWithoutSpace.has(text.charCodeAt(at - 1))) return at;
  const word = wordCut(text, longest);
  if (word > 0) return word;
  for (let at = half - 1; at > 0; at--) if (isSpace(text.charCodeAt(at))) return at;
  return wholeCharacters(text, longest);
};

const isSpace = (code: number): boolean =>
  code < 0x80 ? code === 0x20 || (code >= 0x09 && code <= 0x0d) : wideSpaces.has(code);

/** Returns the index of the last word boundary near `longest`, or 0. */
const wordCut = (text: string, longest: number): number => {
  const start = wholeCharacters(text, Math.max(0, longest - wordWindow.before));
  const window = text.slice(start, longest + wordWindow.after);
  // Looks up only the word at the limit, because iterating over all words would take several times as long.
  const index = wordSegmenter.segment(window).containing(longest - start)?.index ?? 0;
  return index > 0 ? start + index : 0;
};

/** Returns the index, or the index before it if a cut at the index would split a surrogate pair. */
const wholeCharacters = (text: string, at: number): number =>
  at > 1 && (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
    ? at - 1
    : at;

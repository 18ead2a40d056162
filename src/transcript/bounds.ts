import { fixedLimits } from '../config/limits/index.js';

/** Most characters (UTF-16 units) of a segment's text. */
export const longestText = fixedLimits.segmentText.value;
/** Longest duration (seconds) of a joined segment. */
export const longestSegment = fixedLimits.segmentDuration.value;
/** Least characters of a piece. A long-lasting segment with few words is not cut into shorter pieces. */
const shortestPiece = 200;

/**
 * Characters before a limit that are searched for the end of a word without spaces, and characters after it as context.
 * Such words are shorter, and these values limit the cost of a cut.
 */
const wordWindow = { before: 128, after: 64 } as const;
/** Finds word boundaries by dictionary, for languages without spaces such as Chinese, Japanese, Thai and Khmer. */
const wordSegmenter = new Intl.Segmenter('und', { granularity: 'word' });
const codesOf = (characters: string): ReadonlySet<number> =>
  new Set(Array.from(characters, (character) => character.charCodeAt(0)));
/** White space of regular expressions beyond ASCII. */
const wideSpaces = codesOf(
  '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
);
const endersWithoutSpace = codesOf('。！？।॥');

/** Whether a text is short enough for one segment. */
export const fitsText = (text: string): boolean => text.length <= longestText;

/**
 * Cuts a text into pieces of at most the allowed length. Cuts at white space if there is any, else after a sentence,
 * else between words. Cuts a word only if it is longer than a piece. Only white space at the cuts is dropped.
 * @param longest UTF-16 units of a piece, at least 2.
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

/** Most characters of each piece of a text, so that the pieces stay within the limits of length and duration. */
export const pieceLength = (length: number, duration: number): number => {
  const pieces = Math.max(1, Math.ceil(duration / longestSegment));
  return Math.min(longestText, Math.max(shortestPiece, Math.ceil(length / pieces)));
};

/** Index at which to cut a trimmed text that is longer than `longest`: above 0 and at most `longest`. */
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

/** @returns the last end of a word near `longest`, or 0. */
const wordCut = (text: string, longest: number): number => {
  const start = wholeCharacters(text, Math.max(0, longest - wordWindow.before));
  const window = text.slice(start, longest + wordWindow.after);
  // Visiting all words of the window would cost several times as much.
  const index = wordSegmenter.segment(window).containing(longest - start)?.index ?? 0;
  return index > 0 ? start + index : 0;
};

/** Moves an index back by one where it would split a pair of surrogates. */
const wholeCharacters = (text: string, at: number): number =>
  at > 1 && (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
    ? at - 1
    : at;

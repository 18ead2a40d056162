import { fixedLimits } from '../config/limits.js';

/** Characters (UTF-16 units) that a segment's text may have. */
export const longestText = fixedLimits.segmentText.value;
/** Seconds over which segments are joined. */
export const longestSegment = fixedLimits.segmentDuration.value;
/** A long segment of few words is not cut into pieces shorter than this, however long it lasts. */
const shortestPiece = 200;

/** How far before the bound a word of a language without spaces is looked for, and what lies behind it for context. */
const wordWindow = { before: 256, after: 64 } as const;
/** Finds words where no space parts them: Chinese, Japanese, Thai, Khmer and others by dictionary. */
const wordSegmenter = new Intl.Segmenter('und', { granularity: 'word' });
const space = /\s/;
const enderWithoutSpace = /[。！？।॥]/;

/** Whether a segment may hold this text. */
export const fitsText = (text: string): boolean => text.length <= longestText;

/**
 * Cuts a text into pieces that are no longer than allowed, at white space where there is some, else behind the end of a
 * sentence, else between words; within a word only when the word alone is longer than a piece. Nothing but white space
 * at the cuts is left out.
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

/** Characters that each piece of a text may have so that it keeps to the bounds of length and of duration. */
export const pieceLength = (length: number, duration: number): number => {
  const pieces = Math.max(1, Math.ceil(duration / longestSegment));
  return Math.min(longestText, Math.max(shortestPiece, Math.ceil(length / pieces)));
};

/** Where to cut a trimmed text that is longer than `longest`: above 0, and at most there. */
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

/** Moves a place back where it would part a pair of surrogates. */
const wholeCharacters = (text: string, at: number): number =>
  at > 1 && /^[\uDC00-\uDFFF]/.test(text.slice(at)) && /[\uD800-\uDBFF]$/.test(text.slice(0, at))
    ? at - 1
    : at;

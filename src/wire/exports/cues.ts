import { millisecondsOf } from './times.js';

/**
 * Maximum number of characters (code points) in a line of subtitles, and maximum number of lines on the screen at once.
 */
export const cueBounds = { line: 42, lines: 2 } as const;

/** One subtitle: the lines shown together, and their start and end in ms. */
export interface Cue {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

const lengthOf = (text: string): number => {
  let length = 0;
  for (const _ of text) length++;
  return length;
};

/**
 * Maximum number of code units that the segmenter processes at once, because its time grows with the square of the
 * text's length.
 */
const windowUnits = 1024;

/**
 * Yields the graphemes of a text in linear time. A grapheme that is longer than `windowUnits` is divided between
 * characters.
 */
function* graphemesOf(text: string): Generator<string, void, undefined> {
  for (let at = 0; at < text.length; ) {
    const isCut = (text.codePointAt(at + windowUnits - 1) ?? 0) > 0xffff;
    const window = text.slice(at, at + windowUnits - (isCut ? 1 : 0));
    const found = Array.from(graphemes.segment(window), ({ segment }) => segment);
    // The last grapheme may continue after the window, so it is read again with the next window.
    if (found.length > 1 && at + window.length < text.length) found.pop();
    for (const grapheme of found) at += grapheme.length;
    yield* found;
  }
}

/**
 * Divides a word that is longer than a line. Graphemes, such as emoji and letters with accents, stay whole, unless a
 * grapheme is longer than a line.
 */
function* dividedWord(word: string): Generator<string, void, undefined> {
  let line = '';
  let length = 0;
  for (const segment of graphemesOf(word)) {
    const units = lengthOf(segment) > cueBounds.line ? segment : [segment];
    for (const unit of units) {
      const own = lengthOf(unit);
      if (length + own > cueBounds.line) {
        yield line;
        [line, length] = ['', 0];
      }
      line += unit;
      length += own;
    }
  }
  yield line;
}

/** Divides a text of one line into lines of at most `cueBounds.line` characters, between words where possible. */
const linesOf = (text: string): string[] => {
  const lines: string[] = [];
  let line = '';
  let length = 0;
  for (const word of text.split(' ')) {
    const pieces = word.length > cueBounds.line ? dividedWord(word) : [word];
    for (const piece of pieces) {
      const own = lengthOf(piece);
      if (length > 0 && length + 1 + own > cueBounds.line) {
        lines.push(line);
        [line, length] = ['', 0];
      }
      line += length > 0 ? ` ${piece}` : piece;
      length += own + (length > 0 ? 1 : 0);
    }
  }
  if (length > 0) lines.push(line);
  return lines;
};

/**
 * Divides a segment into cues. Each cue gets a part of the segment's time in proportion to the length of its text, but
 * at least 1 ms. The first cue begins with the segment; the last cue ends with it.
 * @param text on one line.
 * @returns the cues; no cue for an empty text.
 */
export const cuesOf = (text: string, start: number, end: number): Cue[] => {
  const lines = linesOf(text);
  const groups: string[][] = [];
  for (let at = 0; at < lines.length; at += cueBounds.lines)
    groups.push(lines.slice(at, at + cueBounds.lines));
  const begin = millisecondsOf(start);
  const lasts = Math.max(groups.length, millisecondsOf(end) - begin);
  const sizes = groups.map((group) => lengthOf(group.join('')));
  const all = sizes.reduce((sum, size) => sum + size, 0);
  let said = 0;
  let from = 0;
  return groups.map((group, index) => {
    said += sizes[index]!;
    const behind = groups.length - index - 1;
    const to = Math.min(lasts - behind, Math.max(from + 1, Math.round((lasts * said) / all)));
    const cue = { start: begin + from, end: begin + to, lines: group };
    from = to;
    return cue;
  });
};

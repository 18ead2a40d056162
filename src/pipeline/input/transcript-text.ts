import type { LiveSegment } from '../../wire/index.js';

const cutMark = '\n[...]\n';
/** Part of a long transcript that is taken from its beginning; the rest is taken from its end. */
const beginning = 0.6;

/** The beginning and the end of a text that is longer than `most` code units. */
export const shortened = (text: string, most: number): string => {
  if (text.length <= most) return text;
  const head = Math.floor(most * beginning);
  const tail = most - head;
  // A pair of code units may have been cut in two.
  return `${text.slice(0, head)}${cutMark}${text.slice(text.length - tail)}`.toWellFormed();
};

/** The first texts of a list, as many as have together `most` code units, or all. */
const firstOf = (texts: readonly string[], most: number): string[] => {
  let length = 0;
  const end = texts.findIndex((text) => {
    length += text.length;
    return length >= most;
  });
  return end === -1 ? [...texts] : texts.slice(0, end + 1);
};

/** Texts as one, shortened. Of a long transcript what is left out is never joined. */
const joined = (texts: readonly string[], most: number): string => {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length <= 2 * most) return shortened(texts.join(''), most);
  const head = firstOf(texts, most);
  const tail = firstOf(texts.toReversed(), most).reverse();
  return shortened(`${head.join('').slice(0, most)}${tail.join('').slice(-most)}`, most);
};

const speakerOf = (segment: LiveSegment, userName: string | null): string =>
  segment.is_user ? (userName ?? 'User') : `Speaker ${segment.speaker_id}`;

/** A transcript as a model reads it: one line for each turn, beginning with who speaks. */
export const transcriptText = (
  segments: readonly LiveSegment[],
  userName: string | null,
  most: number,
): string => {
  const said: string[] = [];
  let before: string | null = null;
  for (const segment of segments) {
    const speaker = speakerOf(segment, userName);
    const begin = speaker === before ? ' ' : `${before === null ? '' : '\n'}${speaker}: `;
    said.push(begin, segment.text);
    before = speaker;
  }
  return joined(said, most);
};

import type { LiveSegment } from '../../wire/index.js';

const cutMark = '\n[...]\n';
/** Share of a shortened transcript that comes from its beginning. The rest comes from its end. */
const beginning = 0.6;

/** Shortens a text to its beginning and end if it is longer than `most` code units. */
export const shortened = (text: string, most: number): string => {
  if (text.length <= most) return text;
  const head = Math.floor(most * beginning);
  const tail = most - head;
  // The cut may split a surrogate pair. `toWellFormed` replaces the remaining half.
  return `${text.slice(0, head)}${cutMark}${text.slice(text.length - tail)}`.toWellFormed();
};

/** Returns the first texts of a list, up to the text with which their length reaches `most` code units. */
const firstOf = (texts: readonly string[], most: number): string[] => {
  let length = 0;
  const end = texts.findIndex((text) => {
    length += text.length;
    return length >= most;
  });
  return end === -1 ? [...texts] : texts.slice(0, end + 1);
};

/** Joins texts and shortens the result. Of a long transcript, only the beginning and the end are joined. */
const joined = (texts: readonly string[], most: number): string => {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length <= 2 * most) return shortened(texts.join(''), most);
  const head = firstOf(texts, most);
  const tail = firstOf(texts.toReversed(), most).reverse();
  return shortened(`${head.join('').slice(0, most)}${tail.join('').slice(-most)}`, most);
};

const speakerOf = (segment: LiveSegment, userName: string | null): string =>
  segment.is_user ? (userName ?? 'User') : `Speaker ${segment.speaker_id}`;

/**
 * Returns the transcript for a model. All words of a speaker before another speaker begins form one line. Each line
 * begins with the name of its speaker.
 */
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

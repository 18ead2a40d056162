import type { LiveSegment } from '../wire/segment.js';

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

const speakerOf = (segment: LiveSegment, userName: string | null): string =>
  segment.is_user ? (userName ?? 'User') : `Speaker ${segment.speaker_id}`;

/** A transcript as a model reads it: one line for each turn, beginning with who speaks. */
export const transcriptText = (
  segments: readonly LiveSegment[],
  userName: string | null,
  most: number,
): string => {
  const lines: string[] = [];
  let before: string | null = null;
  for (const segment of segments) {
    const speaker = speakerOf(segment, userName);
    if (speaker === before) lines.push(`${lines.pop()} ${segment.text}`);
    else lines.push(`${speaker}: ${segment.text}`);
    before = speaker;
  }
  return shortened(lines.join('\n'), most);
};

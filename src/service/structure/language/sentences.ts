import { endsAbbreviated } from './abbreviations.js';
import type { SaidSegment } from './extractor.js';
import { withoutHesitation } from './spoken.js';
import { cut } from './words.js';

export interface Sentence {
  /** The spoken words without hesitation. */
  readonly text: string;
  readonly speakerId: number;
  readonly isUser: boolean;
  /** Seconds from the start of the conversation. */
  readonly start: number;
}

const splitter = new Intl.Segmenter('en', { granularity: 'sentence' });
const longestSentence = 600;
/** Maximum number of words of a sentence without punctuation. A longer one counts as several sentences. */
const runOn = 28;
const newStatement =
  /,? (?=(?:and|but|so|then|because|anyway|okay|yeah) (?:then |so |yeah )?(?:i|i'm|i've|i'll|we|we're|we'll|he|he's|she|she's|they|they're|it|it's|you|there|there's|that|that's|my|the|our)\b)/gi;

/** Matches "5 p.m." at the end of a text. The segmenter would wrongly end the sentence there if a day follows. */
const beforeDay = /\d ?[ap]\.m\.\s*$/iu;
const dayFirst =
  /^(?:on |next |this )?(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August|September|October|November|December|Eastern|Pacific|Central)\b/u;

/**
 * Matches the end of a sentence before a lower-case conjunction. A recogniser may end one utterance with a full stop,
 * and begin the next with "and". Without this pattern, the segmenter would join both utterances into one sentence.
 */
const smallOpening = /(?<=(?:\p{L}{3}|\d)[.!?])(?<!\b(?:mrs|prof|approx|etc)\.) (?=(?:and|but|so|then)\b)/iu;

/** A part of a sentence. The end of a segment, or an abbreviation, may split a sentence into several pieces. */
interface Piece {
  text: string;
  readonly segment: SaidSegment;
}

const finished = (text: string): boolean => /[.!?…。！？"”]\s*$/u.test(text);

/**
 * Whether a piece continues the sentence of the piece before it. If the transcript has no punctuation, only an
 * abbreviation shows this.
 */
const continues = (before: Piece, next: Piece, punctuated: boolean): boolean => {
  if (before.text.length + next.text.length > longestSentence) return false;
  if (endsAbbreviated(before.text, next.text)) return before.segment === next.segment;
  if (beforeDay.test(before.text.slice(-8)) && dayFirst.test(next.text))
    return before.segment === next.segment;
  return (
    punctuated &&
    before.segment.speaker_id === next.segment.speaker_id &&
    !finished(before.text) &&
    /^\p{Lu}/u.test(before.text) &&
    /^\p{Ll}/u.test(next.text)
  );
};

/** Maximum characters per call of the segmenter. The time of a call grows with the square of their number. */
const longestPart = 4000;

/** Returns a sentence on one line. A very long sentence is cut. Returns an empty text if the sentence has no words. */
const onOneLine = (piece: string): string =>
  cut(piece, 2 * longestSentence)
    .replace(/\s+/g, ' ')
    .trim();

/** Yields the sentences of a text, split by punctuation. It is a generator, so that the caller can stop early. */
function* piecesOf(text: string): Generator<string> {
  for (const line of text.split(/[\r\n\u0085\u2028\u2029]/)) {
    if (line.trim() === '') continue;
    for (let from = 0; from < line.length; ) {
      const space = line.lastIndexOf(' ', from + longestPart);
      const to = line.length - from <= longestPart || space <= from ? from + longestPart : space + 1;
      // Keeps surrogate pairs together.
      const end = /[\uD800-\uDBFF]/.test(line.charAt(to - 1)) ? to + 1 : to;
      for (const { segment } of splitter.segment(line.slice(from, end))) {
        for (const piece of segment.split(smallOpening)) {
          const found = onOneLine(piece);
          if (found !== '') yield found;
        }
      }
      from = end;
    }
  }
}

/** Splits a very long sentence where a conjunction begins another statement. */
const parts = (text: string): string[] => {
  if (text.split(' ', runOn + 1).length <= runOn) return [text];
  const found: string[] = [];
  for (const part of text.split(newStatement)) {
    const last = found.at(-1);
    // Joins short parts, because a few words are not a sentence.
    if (last !== undefined && (last.split(' ').length < 6 || part.split(' ').length < 6))
      found[found.length - 1] = `${last} ${part}`;
    else found.push(part);
  }
  return found;
};

/**
 * Returns the first `limit` sentences of a transcript, each with its speaker and the start of its segment.
 * @param clean removes meaningless words. Default: English hesitation sounds.
 */
export const sentencesOf = (
  segments: readonly SaidSegment[],
  limit: number,
  clean: (text: string) => string = withoutHesitation,
): Sentence[] => {
  const punctuated = segments.some(({ text }) => finished(text));
  const pieces: Piece[] = [];
  for (const segment of segments) {
    for (const text of piecesOf(segment.text)) {
      const piece = { text, segment };
      const before = pieces.at(-1);
      if (pieces.length > limit) break;
      if (before && continues(before, piece, punctuated)) before.text = `${before.text} ${piece.text}`;
      else pieces.push(piece);
    }
    if (pieces.length > limit) break;
  }
  return pieces
    .flatMap(({ text, segment }) =>
      parts(clean(cut(text, longestSentence))).map((part) => ({
        text: part,
        speakerId: segment.speaker_id,
        isUser: segment.is_user,
        start: segment.start,
      })),
    )
    .filter(({ text }) => text !== '')
    .slice(0, limit);
};

import type { LiveSegment, SegmentChange, StoredSegment } from '../wire/index.js';
import { fitsText, longestSegment } from './bounds.js';
import {
  hasSentenceEnd,
  isCompleteSentence,
  normaliseText,
  splitSentences,
  startsLowercase,
} from './sentences.js';

/**
 * A segment that was just created from a provider's result. Its id is not stored yet, and it is unique among the
 * segments of the call.
 */
export type IncomingSegment = Omit<LiveSegment, 'translations'>;

export interface CombineOptions {
  /** Ids of segments that are never joined with others, for example because a user assigned a person to them. */
  readonly protectedIds?: ReadonlySet<string>;
  /**
   * Ids of segments with speakers known by voice. Between two such segments, at most a word or two moves to the
   * other speaker.
   */
  readonly knownVoices?: ReadonlySet<string>;
  /** Position of the first segment if `tail` is null; 0 when absent. */
  readonly firstPosition?: number;
}

/**
 * The result of merging. The caller stores its upserts, and then sends them in order. The upserts are the new segments,
 * and also the stored last segment if it has changed.
 */
export interface Combined extends SegmentChange {
  /**
   * Ids of all segments that were joined to other segments, for the event `segments_deleted`. They include segments
   * that were created in this call.
   */
  readonly removed: readonly string[];
  /**
   * Maps the id of each segment that was joined to another segment to the id of the segment that now contains its
   * words.
   */
  readonly absorbed: ReadonlyMap<string, string>;
  /** The last segment after this call. Pass it to the next call. */
  readonly tail: StoredSegment | null;
}

/** Maximum pause in seconds over which two segments are joined. */
const mergeGap = 3;
/**
 * Maximum number of characters that move between speakers known by voice. Words are split at the nearest window,
 * which may be wrong by a word or two. Longer parts never move, regardless of how their sentences end.
 */
const mostMoved = 12;
/** A finished text with at least this many characters is not extended, even by the same speaker. */
const fullLength = 125;

interface Draft {
  segment: LiveSegment;
  /** The stored last segment from which this draft was made; undefined for new segments. */
  readonly stored?: StoredSegment;
}

type Outcome = 'both' | 'into-first' | 'into-second';

/**
 * Merges new segments with the last stored segment and with each other. So it joins sentences that were split by a
 * pause or by a wrong change of speaker. The result depends only on the arguments. The rules are, in short:
 *
 * - If different speakers follow each other without a gap, the first segment may end in an unfinished sentence. The
 *   shorter part of that sentence then moves to the longer part. So either the start of the second segment moves to the
 *   first segment, or the unfinished end of the first moves to the second.
 * - If both speakers are known by voice, only a word or two moves.
 * - Two segments of the same speaker within three seconds become one segment, unless the first is finished and long.
 *   The two segments are joined over a gap of any length if the first is unfinished and the second starts in lower
 *   case.
 * - A segment that ends before the previous one begins is not joined with the previous one.
 * - Segments of different providers are never joined. Segments in `protectedIds` are never joined with others.
 * - A segment with a changed text loses its translations, because they belong to the old text.
 * - A joined segment has at most `longestText` characters and lasts at most `longestSegment` seconds. Otherwise a
 *   provider without punctuation would produce one segment for a whole day, which every new word would write again.
 *
 * Lengths are in characters. The older id remains, except if the complete first segment moves to the second.
 *
 * @param tail the last stored segment; null if there is none.
 * @param incoming segments that providers returned since then, in any order.
 */
export const combineSegments = (
  tail: StoredSegment | null,
  incoming: readonly IncomingSegment[],
  options: CombineOptions = {},
): Combined => {
  const drafts: Draft[] = tail === null ? [] : [{ segment: tail.segment, stored: tail }];
  const absorbed = new Map<string, string>();
  const isProtected = (id: string): boolean => options.protectedIds?.has(id) ?? false;

  for (const fresh of [...incoming].sort((a, b) => a.start - b.start)) {
    const next: Draft = { segment: { ...fresh, text: fresh.text.trim(), translations: [] } };
    const last = drafts.at(-1);
    if (last === undefined || isProtected(last.segment.id) || isProtected(fresh.id)) {
      drafts.push(next);
      continue;
    }
    const { knownVoices } = options;
    const known = knownVoices?.has(last.segment.id) === true && knownVoices.has(fresh.id);
    const outcome = fold(last, next, known ? mostMoved : Number.POSITIVE_INFINITY);
    if (outcome === 'into-first') {
      absorbed.set(fresh.id, last.segment.id);
      continue;
    }
    if (outcome === 'into-second') {
      drafts.pop();
      absorbed.set(last.segment.id, fresh.id);
    }
    drafts.push(next);
  }
  return settle(tail, drafts, absorbed, options.firstPosition ?? 0);
};

const settle = (
  tail: StoredSegment | null,
  drafts: readonly Draft[],
  absorbed: Map<string, string>,
  firstPosition: number,
): Combined => {
  const upserts: StoredSegment[] = [];
  let position = tail === null ? firstPosition : tail.position + 1;
  let last: StoredSegment | null = null;
  for (const { segment, stored } of drafts) {
    const text = normaliseText(segment.text);
    if (stored !== undefined && text === stored.segment.text && segment.end === stored.segment.end) {
      last = stored;
      continue;
    }
    // A translation belongs to the complete text, so it is dropped if the text changed.
    const translations = text === stored?.segment.text ? segment.translations : [];
    last = {
      segment: { ...segment, text, translations },
      position: stored?.position ?? position++,
      revision: (stored?.revision ?? 0) + 1,
    };
    upserts.push(last);
  }
  const tailGone = tail !== null && absorbed.has(tail.segment.id);
  for (const [id, survivor] of absorbed) absorbed.set(id, finalSurvivor(absorbed, survivor));
  return {
    upserts,
    deletions: tailGone ? [{ id: tail.segment.id, revision: tail.revision + 1 }] : [],
    removed: [...absorbed.keys()],
    absorbed,
    tail: last,
  };
};

const finalSurvivor = (absorbed: ReadonlyMap<string, string>, id: string): string => {
  let survivor = id;
  for (let next = absorbed.get(survivor); next !== undefined; next = absorbed.get(survivor)) survivor = next;
  return survivor;
};

const sameSpeaker = (a: LiveSegment, b: LiveSegment): boolean =>
  a.speaker === b.speaker || (a.is_user && b.is_user);

/**
 * Decides whether two segments are joined, and joins them. @param most maximum number of characters that may move
 * from one speaker to another.
 */
const fold = (first: Draft, second: Draft, most: number): Outcome => {
  const a = first.segment;
  const b = second.segment;
  if (a.stt_provider !== b.stt_provider) return 'both';
  return sameSpeaker(a, b) ? foldSameSpeaker(first, second) : foldAcrossSpeakers(first, second, most);
};

/** Whether the time from the earlier start to the later end of both segments is short enough for one segment. */
const fitsTime = (a: LiveSegment, b: LiveSegment): boolean =>
  Math.max(a.end, b.end) - Math.min(a.start, b.start) <= longestSegment;

const append = (a: LiveSegment, text: string): LiveSegment => ({ ...a, text: joined(a.text, text) });

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ');

const foldSameSpeaker = (first: Draft, second: Draft): Outcome => {
  const a = first.segment;
  const b = second.segment;
  if (a.speech_profile_processed !== b.speech_profile_processed) return 'both';
  // A segment that arrives late is not joined, because its words belong to an earlier time.
  if (b.end <= a.start && b.start < a.start) return 'both';
  const finished = hasSentenceEnd(a.text.trimEnd());
  const near = b.start - a.end < mergeGap && (a.text.length < fullLength || !finished);
  const continued = !finished && startsLowercase(b.text);
  if (!near && !continued) return 'both';
  if (!fitsTime(a, b) || !fitsText(joined(a.text, b.text))) return 'both';
  first.segment = { ...append(a, b.text), end: Math.max(a.end, b.end) };
  return 'into-first';
};

const foldAcrossSpeakers = (first: Draft, second: Draft, most: number): Outcome => {
  const a = first.segment;
  const b = second.segment;
  const continues = b.start >= a.start && b.end >= a.end && b.start - a.end < mergeGap;
  if (!continues || a.text.trim() === '' || b.text === '') return 'both';

  const sentences = splitSentences(a.text);
  const unfinished = sentences.at(-1)!;
  if (hasSentenceEnd(unfinished)) return 'both';
  const [opening, ...rest] = splitSentences(b.text);

  if (rest.length > 0 && opening!.length < unfinished.length) {
    if (opening!.length > most || !fitsText(joined(a.text, opening!))) return 'both';
    first.segment = append(a, opening!);
    second.segment = { ...b, text: rest.join(' ') };
    return 'both';
  }
  if (rest.length === 0 && !isCompleteSentence(opening!) && opening!.length < unfinished.length) {
    if (opening!.length > most || !fitsTime(a, b) || !fitsText(joined(a.text, opening!))) return 'both';
    first.segment = { ...append(a, opening!), end: Math.max(a.end, b.end) };
    return 'into-first';
  }
  if (unfinished.length >= b.text.length || unfinished.length > most) return 'both';
  if (!fitsText(joined(unfinished, b.text))) return 'both';

  const finished = sentences.slice(0, -1);
  if (finished.length > 0) {
    first.segment = { ...a, text: finished.join(' '), end: Math.min(a.end, b.start) };
    second.segment = { ...b, text: joined(unfinished, b.text) };
    return 'both';
  }
  if (!fitsTime(a, b)) return 'both';
  second.segment = { ...b, text: joined(unfinished, b.text), start: a.start };
  return 'into-second';
};

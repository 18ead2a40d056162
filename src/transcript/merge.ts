import type { LiveSegment, StoredSegment } from '../wire/segment.js';
import { fitsText, longestSegment } from './bounds.js';
import {
  hasSentenceEnd,
  isCompleteSentence,
  normaliseText,
  splitSentences,
  startsLowercase,
} from './sentences.js';

/** A segment as a provider makes it. Its id is fresh: not stored yet, and unique among what comes with it. */
export type IncomingSegment = Omit<LiveSegment, 'translations'>;

export interface CombineOptions {
  /** Ids somebody assigned by hand: they neither absorb nor are absorbed. */
  readonly protectedIds?: ReadonlySet<string>;
}

export interface Combined {
  /** What is to be stored and then sent: new segments, and the stored tail if it changed. In order. */
  readonly upserts: readonly StoredSegment[];
  /** Stored ids that were absorbed, with the revision of their deletion: for the journal. */
  readonly deletions: readonly { readonly id: string; readonly revision: number }[];
  /** Every id that vanished, also of segments that came and went within this call: for `segments_deleted`. */
  readonly removed: readonly string[];
  /** Absorbed id -> id of the segment that has its words now (survivors only). */
  readonly absorbed: ReadonlyMap<string, string>;
  /** The last segment from now on: hand it in next time. */
  readonly tail: StoredSegment | null;
}

/** Longest pause, in seconds, over which two segments are one. */
const mergeGap = 3;
/** A finished text at least this long (characters) takes no more of the same speaker. */
const fullLength = 125;

interface Draft {
  segment: LiveSegment;
  /** Set for the stored tail. */
  readonly stored?: StoredSegment;
}

type Outcome = 'both' | 'into-first' | 'into-second';

/**
 * Folds new segments into the last stored one, so that a sentence that a pause or a misheard change of speaker tore
 * apart becomes whole again. Pure. The rules in short:
 *
 * - Different speakers, continuous in time, the first left unfinished: the shorter piece joins the longer one, either
 *   the start of the second moves to the first, or the unfinished end of the first moves to the second.
 * - The same speaker within three seconds: one segment, unless the first is finished and long; also over any gap when
 *   the second starts in lower case after an unfinished first.
 * - Never across providers, nor a segment assigned by hand.
 * - Never to more than `longestText` characters or `longestSegment` seconds: a provider that puts no punctuation would
 *   make one segment of a whole day, and each new word would write it again.
 *
 * Lengths are in characters. The surviving id is the older one, except where the whole first segment moves.
 *
 * @param tail the last stored segment, null when there is none.
 * @param incoming what providers returned since, in any order; it is sorted by start.
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
    const outcome = fold(last, next);
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
  return settle(tail, drafts, absorbed);
};

const settle = (
  tail: StoredSegment | null,
  drafts: readonly Draft[],
  absorbed: Map<string, string>,
): Combined => {
  const upserts: StoredSegment[] = [];
  let position = tail === null ? 0 : tail.position + 1;
  let last: StoredSegment | null = null;
  for (const { segment, stored } of drafts) {
    const text = normaliseText(segment.text);
    if (stored !== undefined && text === stored.segment.text && segment.end === stored.segment.end) {
      last = stored;
      continue;
    }
    last = {
      segment: { ...segment, text },
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

const fold = (first: Draft, second: Draft): Outcome => {
  const a = first.segment;
  const b = second.segment;
  if (a.stt_provider !== b.stt_provider) return 'both';
  return sameSpeaker(a, b) ? foldSameSpeaker(first, second) : foldAcrossSpeakers(first, second);
};

/** Whether one segment may last from the start of the first to the later end of both. */
const fitsTime = (a: LiveSegment, b: LiveSegment): boolean =>
  Math.max(a.end, b.end) - Math.min(a.start, b.start) <= longestSegment;

const append = (a: LiveSegment, text: string): LiveSegment => ({ ...a, text: joined(a.text, text) });

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ');

const foldSameSpeaker = (first: Draft, second: Draft): Outcome => {
  const a = first.segment;
  const b = second.segment;
  if (a.speech_profile_processed !== b.speech_profile_processed) return 'both';
  const finished = hasSentenceEnd(a.text.trimEnd());
  const near = b.start - a.end < mergeGap && (a.text.length < fullLength || !finished);
  const continued = !finished && startsLowercase(b.text);
  if (!near && !continued) return 'both';
  if (!fitsTime(a, b) || !fitsText(joined(a.text, b.text))) return 'both';
  first.segment = { ...append(a, b.text), end: Math.max(a.end, b.end) };
  return 'into-first';
};

const foldAcrossSpeakers = (first: Draft, second: Draft): Outcome => {
  const a = first.segment;
  const b = second.segment;
  const continues = b.start >= a.start && b.end >= a.end && b.start - a.end < mergeGap;
  if (!continues || a.text.trim() === '' || b.text === '') return 'both';

  const sentences = splitSentences(a.text);
  const unfinished = sentences.at(-1)!;
  if (hasSentenceEnd(unfinished)) return 'both';
  const [opening, ...rest] = splitSentences(b.text);

  if (rest.length > 0 && opening!.length < unfinished.length) {
    if (!fitsText(joined(a.text, opening!))) return 'both';
    first.segment = append(a, opening!);
    second.segment = { ...b, text: rest.join(' ') };
    return 'both';
  }
  if (rest.length === 0 && !isCompleteSentence(opening!) && opening!.length < unfinished.length) {
    if (!fitsTime(a, b) || !fitsText(joined(a.text, opening!))) return 'both';
    first.segment = { ...append(a, opening!), end: Math.max(a.end, b.end) };
    return 'into-first';
  }
  if (unfinished.length >= b.text.length || !fitsText(joined(unfinished, b.text))) return 'both';

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

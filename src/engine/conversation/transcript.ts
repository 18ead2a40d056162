import { fixedLimits } from '../../config/limits/index.js';
import type { Replacement, ResumedConversation } from '../../journal/index.js';
import { combineSegments, placeSegment, type SpokenSegment } from '../../transcript/index.js';
import type { LiveSegment, StoredSegment, TranslatedSegment } from '../../wire/index.js';
import type { ConversationVoices } from '../voices/index.js';
import { applyTranslations } from './arrived-translations.js';
import type { AssignedSpeakers } from './assigned-speakers.js';
import { type EarlierSegments, noEarlierSegments } from './earlier-segments.js';
import { type LaidChange, ProvisionalSegments } from './provisional-segments.js';

/**
 * Maximum number of a conversation's segments in memory. Earlier segments are read from the database when a speaker
 * is corrected.
 */
const recentSegments = 128;

/**
 * Maximum number of segments that count against the client's allowance when it assigns a person to all segments of
 * a speaker.
 */
const wholeSpeaker = 100;

/**
 * Number of positions that stay free behind the last stored segment (the tail), if this stream must not continue that
 * segment. The earlier holder of the conversation may still store segments at these positions.
 */
const positionsKept = 2 ** 20;

/** Number of characters added to the size of every segment, for the fields that are stored and read with its text. */
const segmentOverhead = 256;

/** Time in ms by which the end of a segment may lie in the future, because clocks differ and times are rounded. */
const clockTolerance = 1000;
/** Difference in ms below which two stored times count as equal. */
const storedPrecision = 2;

/** Returns the number of characters that a segment adds to the size of its conversation. */
const sizeOf = ({ text, speaker, person_id, stt_provider }: LiveSegment): number =>
  segmentOverhead + text.length + speaker.length + (person_id?.length ?? 0) + (stt_provider?.length ?? 0);

/** Queries about the voices of a conversation. Times are wall clock (ms). */
type VoiceLabels = Pick<ConversationVoices, 'numberOf' | 'unsure' | 'knows'>;

/** A change that is not stored yet. */
export interface TranscriptDraft extends LaidChange {
  /**
   * Wall clock (ms) to store as the start of the conversation, if this change sets it or makes it earlier;
   * otherwise undefined.
   */
  readonly startedAt: number | undefined;
  /**
   * `startedAt`: wall clock (ms) that is time 0 of the segments. `ahead`: ms by which `startedAt` is later than the
   * stored start.
   */
  readonly placed: { readonly startedAt: number; readonly ahead: number };
  /** Stored segments that were read from the database, because they are not in memory. Some may be among `upserts`. */
  readonly earlier: readonly StoredSegment[];
  /** Ids of upserts that change nothing but translations. */
  readonly onlyTranslated: ReadonlySet<string>;
  /** Upserted segments with new translations. */
  readonly translated: readonly LiveSegment[];
  /** Translations of segments that are no longer in memory. */
  readonly elsewhere: readonly TranslatedSegment[];
  /** Must be called if the change could not be stored. The next draft then applies the assigned people again. */
  readonly undo: () => void;
}

/**
 * The part of a stored conversation that is needed to compute the next change: its last segment and its recent
 * segments.
 */
export class Transcript {
  /** Wall clock (ms) that is time 0 of the segments. */
  #startedAt: number | null;
  /**
   * Time in ms by which the stored start is earlier than `#startedAt`. Clients that transcribe their own audio may send
   * words faster than real time. An earlier start of the conversation is then stored, so that its last word is not in
   * the future.
   */
  #ahead = 0;
  /** Whether `late` made this transcript. If true, no change continues an earlier segment. */
  #isLate = false;
  /** Id of the last stored segment, if an earlier owner of the conversation may still write it; otherwise undefined. */
  readonly #closed: string | undefined;
  /** Position that the first new segment gets if `#tail` is null. */
  readonly #firstPosition: number;
  #length: number;
  #size: number;
  #tail: StoredSegment | null;
  /** Recent segments by id. Like `#tail`, they contain final words only. */
  readonly #recent = new Map<string, StoredSegment>();
  readonly #provisional: ProvisionalSegments;

  /**
   * @param before the transcript of an earlier lease on the same conversation. Its provisional words may still be
   * stored.
   */
  constructor(
    {
      startedAt,
      segmentCount,
      characters,
      tail: stored,
      isTailClosed,
    }: Pick<ResumedConversation, 'startedAt' | 'segmentCount' | 'characters' | 'tail' | 'isTailClosed'>,
    before?: Transcript,
  ) {
    const own = before?.finalOf(stored);
    const isClosed = isTailClosed && own === undefined;
    const tail =
      own ?? (isClosed && stored ? { ...stored, position: stored.position + positionsKept } : stored);
    this.#closed = isClosed ? stored?.segment.id : undefined;
    this.#firstPosition = isClosed ? positionsKept : 0;
    this.#provisional = own === undefined ? new ProvisionalSegments() : before!.#provisional;
    this.#startedAt = startedAt;
    if (before?.isStoredAs(startedAt)) {
      this.#startedAt = before.#startedAt;
      this.#ahead = before.#ahead;
    }
    this.#length = segmentCount;
    this.#size = segmentCount * segmentOverhead + characters;
    this.#tail = tail;
    if (tail !== null && !isClosed) this.#recent.set(tail.segment.id, tail);
  }

  /**
   * Returns a transcript for the last words of a conversation that another engine has taken over. The returned
   * transcript never continues or changes a stored segment, not even a segment that it stored itself, because another
   * engine may continue that segment.
   */
  late(replacement: Replacement): Transcript {
    const startedAt = this.#startedAt ?? replacement.startedAt;
    const late = new Transcript({
      startedAt,
      segmentCount: 0,
      characters: 0,
      tail: null,
      isTailClosed: false,
    });
    late.#ahead = this.#ahead;
    late.#isLate = true;
    return late;
  }

  /** Wall clock (ms) at which the last stored segment ends; undefined if there is none. */
  get end(): number | undefined {
    if (this.#startedAt === null || this.#tail === null) return undefined;
    return this.#startedAt + 1000 * this.#tail.segment.end;
  }

  /** Whether this transcript has stored `startedAt` as the start of its conversation. */
  private isStoredAs(startedAt: number | null): boolean {
    if (startedAt === null || this.#startedAt === null) return false;
    return Math.abs(this.#startedAt - this.#ahead - startedAt) < storedPrecision;
  }

  /**
   * Returns the final words of the last segment, if `stored` is that segment with provisional words of this transcript.
   * Otherwise returns undefined.
   */
  private finalOf(stored: StoredSegment | null): StoredSegment | undefined {
    if (stored === null || !this.#provisional.stored(stored) || this.#tail === null) return undefined;
    return this.#tail;
  }

  /** Number of stored segments. */
  get length(): number {
    return this.#length;
  }

  /** Whether the conversation is so large that the next words must start a new conversation. */
  get full(): boolean {
    return this.#size >= fixedLimits.conversationSize.value;
  }

  /** Whether some stored segments are not in memory. */
  get hasEarlier(): boolean {
    return !this.#isLate && this.#length > this.#recent.size;
  }

  /** Returns the newest segment of a speaker in memory; undefined if that segment already has a person. */
  lastOf(speakerId: number): LiveSegment | undefined {
    const { segment } =
      [...this.#recent.values()].findLast(({ segment }) => segment.speaker_id === speakerId) ?? {};
    return segment === undefined || segment.is_user || segment.person_id !== null ? undefined : segment;
  }

  /**
   * Returns how many segments count against the client's allowance when the client assigns the segments
   * `ids`. Without ids, the client assigns all segments of a speaker, and at most `wholeSpeaker` segments
   * count.
   */
  mostNamed(ids: readonly string[]): number {
    if (ids.length === 0) return Math.min(this.#length, wholeSpeaker);
    return this.hasEarlier ? ids.length : new Set(ids.filter((id) => this.#recent.has(id))).size;
  }

  /**
   * Computes the change that stores `batch`, the assigned people, provisional words and translations. The
   * transcript itself changes only in `accept`.
   * @param provisional all words of open utterances. They replace the provisional words of earlier calls.
   * @param arrived translations of final words.
   * @param now wall clock (ms); no segment may end later.
   */
  draft(
    batch: readonly SpokenSegment[],
    speakers: AssignedSpeakers,
    read: EarlierSegments = noEarlierSegments,
    voices: VoiceLabels | null = null,
    provisional: readonly SpokenSegment[] = [],
    arrived: readonly TranslatedSegment[] = [],
    now = Number.POSITIVE_INFINITY,
  ): TranscriptDraft {
    // Skips rows of segments that are also in memory, because the segments in memory are newer.
    const earlier = read.segments.filter(
      ({ segment: { id } }) => !this.#recent.has(id) && !this.#provisional.has(id),
    );
    const startedAt = this.#startedAt ?? Math.min(...[...batch, ...provisional].map(({ from }) => from));
    const latest = Math.max(...batch.map(({ to }) => to)) - now;
    const ahead = latest > this.#ahead + clockTolerance ? latest : this.#ahead;
    const place = (spoken: SpokenSegment): LiveSegment => speakers.attribute(placeSegment(spoken, startedAt));
    const { changed, undo } = speakers.reattribute(
      [...this.#recent.values()],
      { ...read, segments: earlier },
      ({ start, end }) => voices?.numberOf(startedAt + 1000 * start, startedAt + 1000 * end) ?? null,
    );
    const upserts = new Map(changed.map((entry) => [entry.segment.id, entry]));
    const { changed: translated, elsewhere } = applyTranslations(
      arrived,
      (id) => upserts.get(id) ?? this.#recent.get(id),
    );
    const onlyTranslated = translated.filter(({ segment: { id } }) => !upserts.has(id));
    for (const entry of translated) upserts.set(entry.segment.id, entry);
    const tail = this.#tail === null ? null : (upserts.get(this.#tail.segment.id) ?? this.#tail);
    const incoming = batch.map(place);
    const shownNow = provisional.map(place);
    const stored = [...(tail === null ? [] : [tail.segment]), ...incoming];
    const stretchOf = ({ start, end }: LiveSegment) =>
      [startedAt + 1000 * start, startedAt + 1000 * end] as const;
    const isUnsure = (segment: LiveSegment): boolean => voices?.unsure(...stretchOf(segment)) === true;
    const isKnown = (segment: LiveSegment): boolean => voices?.knows(...stretchOf(segment)) === true;
    const options = {
      protectedIds: new Set([
        ...speakers.protectedIds,
        ...(this.#closed === undefined ? [] : [this.#closed]),
        ...stored.filter(isUnsure).map(({ id }) => id),
      ]),
      firstPosition: this.#firstPosition,
      knownVoices: new Set([...stored, ...shownNow].filter(isKnown).map(({ id }) => id)),
    };
    const combined = combineSegments(tail, incoming, options);
    for (const upsert of combined.upserts) upserts.set(upsert.segment.id, upsert);
    for (const { id } of combined.deletions) upserts.delete(id);
    const final = { ...combined, upserts: [...upserts.values()] };
    const laid = this.#provisional.lay(final, this.#tail, shownNow, options);
    // A segment that was merged or got provisional words is now a new object without its translation, so that
    // translation is not sent.
    const stays = new Set(laid.upserts.map(({ segment }) => segment));
    const shown = translated.map(({ segment }) => segment).filter((segment) => stays.has(segment));
    const known = new Set(shown.map(({ id }) => id));
    return {
      ...laid,
      translated: shown,
      onlyTranslated: new Set(onlyTranslated.map(({ segment: { id } }) => id).filter((id) => known.has(id))),
      elsewhere,
      startedAt:
        (this.#startedAt === null || ahead > this.#ahead) && Number.isFinite(startedAt)
          ? startedAt - ahead
          : undefined,
      placed: { startedAt, ahead },
      earlier,
      undo,
    };
  }

  /** Updates the transcript after a draft was stored durably. */
  accept(draft: TranscriptDraft): void {
    const { placed, startedAt, upserts, deletions, tail, earlier, settled, returned } = draft;
    if (startedAt !== undefined) {
      this.#startedAt = placed.startedAt;
      this.#ahead = placed.ahead;
    }
    if (this.#isLate) {
      this.#length += upserts.length;
      return;
    }
    this.#provisional.accept(draft);
    const fresh = upserts.filter(({ revision }) => revision === 1).length;
    this.#length += fresh + returned - deletions.length;
    this.#tail = tail;
    const before = new Map(earlier.map(({ segment }) => [segment.id, segment]));
    for (const upsert of settled) {
      const old = before.get(upsert.segment.id);
      this.#size += sizeOf(upsert.segment) - (old ? sizeOf(old) : this.#recentSize(upsert.segment.id));
      if (old === undefined) this.#recent.set(upsert.segment.id, upsert);
    }
    for (const { id } of deletions) {
      this.#size -= this.#recentSize(id);
      this.#recent.delete(id);
    }
    for (const id of this.#recent.keys()) {
      if (this.#recent.size <= recentSegments) break;
      this.#recent.delete(id);
    }
  }

  #recentSize(id: string): number {
    const stored = this.#recent.get(id);
    return stored === undefined ? 0 : sizeOf(stored.segment);
  }
}

import { fixedLimits } from '../../config/limits/index.js';
import type { ResumedConversation } from '../../journal/index.js';
import { combineSegments, placeSegment, type SpokenSegment } from '../../transcript/index.js';
import type { LiveSegment, StoredSegment, TranslatedSegment } from '../../wire/index.js';
import type { ConversationVoices } from '../voices/index.js';
import { applyTranslations } from './arrived-translations.js';
import type { AssignedSpeakers } from './assigned-speakers.js';
import { type EarlierSegments, noEarlierSegments } from './earlier-segments.js';
import { type LaidChange, ProvisionalSegments } from './provisional-segments.js';

/** Stored segments of a conversation that are kept in memory; when a speaker is corrected the earlier ones are read. */
const recentSegments = 128;

/** Stored segments that a client pays for at most when it names all of a speaker. */
const wholeSpeaker = 100;

/** Characters counted for every segment beside its own: what it takes wherever a conversation is read. */
const segmentOverhead = 256;

/** Ms by which segments may end after the present: clocks and roundings differ that much. */
const clockTolerance = 1000;
/** Ms in which two stored moments are the same. */
const storedPrecision = 2;

/** What a segment adds to the size of its conversation. */
const sizeOf = ({ text, speaker, person_id, stt_provider }: LiveSegment): number =>
  segmentOverhead + text.length + speaker.length + (person_id?.length ?? 0) + (stt_provider?.length ?? 0);

/** What is known of the voices of a conversation; times are of the wall clock (ms). */
type VoiceLabels = Pick<ConversationVoices, 'numberOf' | 'unsure' | 'knows'>;

/** A change that is not stored yet. */
export interface TranscriptDraft extends LaidChange {
  /** Wall clock (ms) of time 0 as it is stored, when this change sets it or makes it earlier. */
  readonly startedAt: number | undefined;
  /** Time 0 as segments are placed by, and the ms by which it is later than the stored one. */
  readonly placed: { readonly startedAt: number; readonly ahead: number };
  /** Stored segments that are not among the recent ones and may be among `upserts`. */
  readonly earlier: readonly StoredSegment[];
  /** Ids of upserts of which nothing but the translations is new. */
  readonly onlyTranslated: ReadonlySet<string>;
  /** Segments of which a translation is among the upserts. */
  readonly translated: readonly LiveSegment[];
  /** Translations of segments that are not in memory any more. */
  readonly elsewhere: readonly TranslatedSegment[];
  /** The change could not be stored: what was assigned is to be applied again. */
  readonly undo: () => void;
}

/** What is stored of one conversation, as far as the next change needs it: its end, and what was said lately. */
export class Transcript {
  /** Wall clock (ms) of time 0 as its segments are placed by. */
  #startedAt: number | null;
  /**
   * Ms that the stored time 0 is earlier. Clients that transcribe themselves may send words faster than they were said: the whole
   * conversation moves back then, so that its last word is not said in the future.
   */
  #ahead = 0;
  #length: number;
  #size: number;
  #tail: StoredSegment | null;
  /** Final words only, as is `#tail`. */
  readonly #recent = new Map<string, StoredSegment>();
  readonly #provisional: ProvisionalSegments;

  /** @param before the transcript of the same conversation that was held before, whose provisional words are still stored. */
  constructor(
    { startedAt, segmentCount, characters, tail: stored }: ResumedConversation,
    before?: Transcript,
  ) {
    const tail = before?.finalOf(stored) ?? stored;
    this.#provisional = tail === stored ? new ProvisionalSegments() : before!.#provisional;
    this.#startedAt = startedAt;
    if (before?.isStoredAs(startedAt)) {
      this.#startedAt = before.#startedAt;
      this.#ahead = before.#ahead;
    }
    this.#length = segmentCount;
    this.#size = segmentCount * segmentOverhead + characters;
    this.#tail = tail;
    if (tail !== null) this.#recent.set(tail.segment.id, tail);
  }

  /** Whether this transcript stores time 0 as given. */
  private isStoredAs(startedAt: number | null): boolean {
    if (startedAt === null || this.#startedAt === null) return false;
    return Math.abs(this.#startedAt - this.#ahead - startedAt) < storedPrecision;
  }

  /** What is final of the last stored segment, when it has provisional words of this transcript; else undefined. */
  private finalOf(stored: StoredSegment | null): StoredSegment | undefined {
    if (stored === null || !this.#provisional.stored(stored) || this.#tail === null) return undefined;
    return this.#tail;
  }

  /** How many segments are stored. */
  get length(): number {
    return this.#length;
  }

  /** Whether it is so large that what is said next belongs into another conversation. */
  get full(): boolean {
    return this.#size >= fixedLimits.conversationSize.value;
  }

  /** Whether segments are stored that are not kept in memory. */
  get hasEarlier(): boolean {
    return this.#length > this.#recent.size;
  }

  /** The last segment of a speaker among those that are kept in memory, unless it has a person. */
  lastOf(speakerId: number): LiveSegment | undefined {
    const { segment } =
      [...this.#recent.values()].findLast(({ segment }) => segment.speaker_id === speakerId) ?? {};
    return segment === undefined || segment.is_user || segment.person_id !== null ? undefined : segment;
  }

  /** How many segments a client pays for that names these; without any, those of a whole speaker, it pays for a part of them. */
  mostNamed(ids: readonly string[]): number {
    if (ids.length === 0) return Math.min(this.#length, wholeSpeaker);
    return this.hasEarlier ? ids.length : new Set(ids.filter((id) => this.#recent.has(id))).size;
  }

  /**
   * What storing `batch`, and what was assigned, would change. Nothing changes yet.
   * @param arrived translations of final words.
   * @param provisional all words that are shown while their utterances go on; those of earlier calls are taken back.
   * @param now wall clock (ms), after which no segment ends.
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
    // What is recent may have changed since it was stored.
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
      protectedIds: new Set([...speakers.protectedIds, ...stored.filter(isUnsure).map(({ id }) => id)]),
      knownVoices: new Set([...stored, ...shownNow].filter(isKnown).map(({ id }) => id)),
    };
    const combined = combineSegments(tail, incoming, options);
    for (const upsert of combined.upserts) upserts.set(upsert.segment.id, upsert);
    for (const { id } of combined.deletions) upserts.delete(id);
    const final = { ...combined, upserts: [...upserts.values()] };
    const laid = this.#provisional.lay(final, this.#tail, shownNow, options);
    // What was merged, or has provisional words over it, is another object by now, and has lost its translation.
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

  /** The draft is durable. */
  accept(draft: TranscriptDraft): void {
    const { placed, startedAt, upserts, deletions, tail, earlier, settled, returned } = draft;
    this.#provisional.accept(draft);
    if (startedAt !== undefined) {
      this.#startedAt = placed.startedAt;
      this.#ahead = placed.ahead;
    }
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

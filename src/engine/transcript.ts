import { randomUUID } from 'node:crypto';
import { fixedLimits } from '../config/limits.js';
import type { ResumedConversation } from '../journal/journal.js';
import { combineSegments, type IncomingSegment, pieceLength, splitText } from '../transcript/index.js';
import type { LiveSegment, StoredSegment } from '../wire/segment.js';
import type { AssignedSpeakers } from './assigned-speakers.js';

/** Stored segments of a conversation whose speaker can still be corrected from a socket. */
const recentSegments = 128;

/** Characters counted for every segment beside its own: what it takes wherever a conversation is read. */
const segmentOverhead = 256;

/** What a segment adds to the size of its conversation. */
const sizeOf = ({ text, speaker, person_id, stt_provider }: LiveSegment): number =>
  segmentOverhead + text.length + speaker.length + (person_id?.length ?? 0) + (stt_provider?.length ?? 0);

/** A segment in wall-clock time: it becomes relative once it is known which conversation it lands in. */
export interface SpokenSegment {
  /** Given once, so that storing it again after a failure cannot double it. */
  readonly id: string;
  readonly text: string;
  readonly speaker: string;
  readonly speakerId: number;
  readonly isUser: boolean;
  readonly personId: string | null;
  readonly provider: string | null;
  /** Ms since the epoch. */
  readonly from: number;
  readonly to: number;
}

/** A change that is not stored yet. */
export interface TranscriptDraft {
  /** Wall clock (ms) of time 0, when this change sets it. */
  readonly startedAt: number | undefined;
  readonly upserts: readonly StoredSegment[];
  readonly deletions: readonly { readonly id: string; readonly revision: number }[];
  /** Ids that vanished, also of segments no client has seen. */
  readonly removed: readonly string[];
  readonly tail: StoredSegment | null;
  /** The change could not be stored: what was assigned is to be applied again. */
  readonly undo: () => void;
}

/** What is stored of one conversation, as far as the next change needs it: its end, and what was said lately. */
export class Transcript {
  #startedAt: number | null;
  #length: number;
  #size: number;
  #tail: StoredSegment | null;
  readonly #recent = new Map<string, StoredSegment>();

  constructor({ startedAt, segmentCount, characters, tail }: ResumedConversation) {
    this.#startedAt = startedAt;
    this.#length = segmentCount;
    this.#size = segmentCount * segmentOverhead + characters;
    this.#tail = tail;
    if (tail !== null) this.#recent.set(tail.segment.id, tail);
  }

  /** How many segments are stored. */
  get length(): number {
    return this.#length;
  }

  /** Whether it is so large that what is said next belongs into another conversation. */
  get full(): boolean {
    return this.#size >= fixedLimits.conversationSize.value;
  }

  /** How many of these segments are among the last ones, which can still be corrected. */
  recentOf(ids: readonly string[]): number {
    return new Set(ids.filter((id) => this.#recent.has(id))).size;
  }

  /** What storing `batch`, and what was assigned, would change. Nothing changes yet. */
  draft(batch: readonly SpokenSegment[], speakers: AssignedSpeakers): TranscriptDraft {
    const startedAt = this.#startedAt ?? Math.min(...batch.map(({ from }) => from));
    const { changed, undo } = speakers.reattribute([...this.#recent.values()]);
    const upserts = new Map(changed.map((entry) => [entry.segment.id, entry]));
    const tail = this.#tail === null ? null : (upserts.get(this.#tail.segment.id) ?? this.#tail);
    const incoming = batch.map((spoken) => speakers.attribute(place(spoken, startedAt)));
    const combined = combineSegments(tail, incoming, { protectedIds: speakers.protectedIds });
    for (const upsert of combined.upserts) upserts.set(upsert.segment.id, upsert);
    for (const { id } of combined.deletions) upserts.delete(id);
    return {
      startedAt: this.#startedAt === null && batch.length > 0 ? startedAt : undefined,
      upserts: [...upserts.values()],
      deletions: combined.deletions,
      removed: combined.removed,
      tail: combined.tail,
      undo,
    };
  }

  /** The draft is durable. */
  accept({ startedAt, upserts, deletions, tail }: TranscriptDraft): void {
    this.#startedAt ??= startedAt ?? null;
    this.#length += upserts.filter(({ revision }) => revision === 1).length - deletions.length;
    this.#tail = tail;
    for (const upsert of upserts) {
      // What changes was said lately.
      this.#size += sizeOf(upsert.segment) - this.#recentSize(upsert.segment.id);
      this.#recent.set(upsert.segment.id, upsert);
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

/**
 * A segment cut into pieces of bounded length and duration; each lasts as long as its share of the text.
 * @returns the segment itself where it keeps to the bounds; else pieces, the first under its id.
 */
export const cutSegment = (segment: SpokenSegment): SpokenSegment[] => {
  const { from, text, to } = segment;
  const pieces = splitText(text, pieceLength(text.length, (to - from) / 1000));
  if (pieces.length < 2) return [segment];
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  let said = 0;
  const wallOf = (): number => from + ((to - from) * said) / length;
  return pieces.map((piece, index) => {
    const begins = wallOf();
    said += piece.length;
    return {
      ...segment,
      id: index === 0 ? segment.id : randomUUID(),
      text: piece,
      from: begins,
      to: wallOf(),
    };
  });
};

const place = (spoken: SpokenSegment, startedAt: number): IncomingSegment & LiveSegment => {
  const start = Math.max(0, spoken.from - startedAt) / 1000;
  const length = Math.max(0, spoken.to - spoken.from) / 1000;
  return {
    id: spoken.id,
    text: spoken.text,
    speaker: spoken.speaker,
    speaker_id: spoken.speakerId,
    is_user: spoken.isUser,
    person_id: spoken.personId,
    start: milliseconds(start),
    end: milliseconds(start + length),
    translations: [],
    speech_profile_processed: true,
    stt_provider: spoken.provider,
  };
};

/** Times are kept to the millisecond: what lies below is noise of the clock. */
const milliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;

import { fixedLimits } from '../../config/limits/index.js';
import type { SegmentQuestion, SpeakerName } from '../../journal/index.js';
import {
  type Assignee,
  assignSpeaker,
  assignSpeakers,
  type IncomingSegment,
  type SpeakerAssignments,
  sameAssignee,
  type VoiceMove,
} from '../../transcript/index.js';
import { type LiveSegment, type StoredSegment, speakerLabel } from '../../wire/index.js';
import type { MessageRefusal } from '../shared/index.js';
import { ownerId } from '../voices/index.js';
import type { EarlierSegments } from './earlier-segments.js';

/** Maximum number of speakers in one conversation to whom a person can be assigned. */
const speakersKept = 1000;

/** Assignments that are not yet applied to the stored segments. */
interface Pending {
  /** Ids of segments to which a client assigned a person individually, and not through their speaker. */
  readonly named: ReadonlySet<string>;
  /**
   * Speakers whose stored segments must be checked. If a client corrected an earlier assignment of the speaker, the
   * value is the wrong person; otherwise null.
   */
  readonly speakers: ReadonlyMap<number, Assignee | null>;
  /** Position of the last processed segment that is not in memory (see `EarlierSegments`); -1 before the first. */
  readonly after: number;
}

const nothingPending: Pending = { named: new Set(), speakers: new Map(), after: -1 };

/** A speaker and the id of the person, or `user` for the owner of the account. */
export type SpeakerIdentity = readonly [speakerId: number, personId: string];

/**
 * For each speaker of one conversation, the assigned person. A user assigned that person, or the engine recognised the
 * voice.
 */
export class AssignedSpeakers {
  readonly #bySegment = new Map<string, Assignee>();
  readonly #bySpeaker = new Map<number, Assignee>();
  /** For each speaker that was merged into a different speaker, the number of that other speaker. */
  readonly #moved = new Map<number, number>();
  /** Speakers whose voices were compared with known voices. */
  readonly #compared = new Set<number>();
  #pending: Pending | null = null;

  /** Whether some assignments still have to be applied to the stored segments. */
  get changed(): boolean {
    return this.#pending !== null;
  }

  /** Ids of segments to which the user assigned a person individually. These segments are never merged with others. */
  get protectedIds(): ReadonlySet<string> {
    return new Set(this.#bySegment.keys());
  }

  /** Restores the assignments that an earlier stream of the conversation stored. */
  restore(speakers: readonly SpeakerName[]): void {
    for (const { speakerId, isUser, personId } of speakers) {
      if (this.#bySpeaker.has(speakerId)) continue;
      keep(this.#bySpeaker, speakerId, assigneeOf(isUser ? ownerId : personId!));
    }
  }

  /**
   * Assigns a person to a speaker.
   * @param personId `user` is the owner of the account.
   * @param segmentIds the segments to change, even if they already have a person. If empty, all segments of the speaker
   * change, except segments to which a person was assigned individually.
   * @returns the reason why the assignment is refused, or null if it is accepted.
   */
  assign(
    speakerId: number,
    personId: string,
    segmentIds: readonly string[],
  ): Pick<MessageRefusal, 'reason' | 'limit'> | null {
    if (!this.#bySpeaker.has(speakerId) && this.#bySpeaker.size >= speakersKept)
      return { reason: 'too_many_speakers', limit: speakersKept };
    const { value: limit } = fixedLimits.namedSegments;
    const added = new Set(segmentIds.filter((id) => !this.#bySegment.has(id)));
    if (this.#bySegment.size + added.size > limit) return { reason: 'too_many_segment_ids', limit };
    const assignee = assigneeOf(personId);
    const { named, speakers } = this.#pending ?? nothingPending;
    const before = this.#bySpeaker.get(speakerId);
    const corrected = segmentIds.length === 0 && before !== undefined && !sameAssignee(before, assignee);
    this.#bySpeaker.set(speakerId, assignee);
    for (const id of segmentIds) this.#bySegment.set(id, assignee);
    this.#pending = {
      named: new Set([...named, ...segmentIds]),
      speakers: new Map([...speakers, [speakerId, corrected ? before : null]]),
      after: -1,
    };
    return null;
  }

  /** Whether a person is assigned to the speaker. */
  has(speakerId: number): boolean {
    return this.#bySpeaker.has(speakerId);
  }

  /** Restores which speakers an earlier stream of the conversation has already compared with known voices. */
  restoreCompared(speakerIds: Iterable<number>): void {
    for (const speakerId of speakerIds) this.#compared.add(speakerId);
  }

  /**
   * Records that the voice of a speaker was compared with known voices. From now on, the speaker's segments are marked
   * as compared.
   * @param personId the recognised person, or null. If the speaker already has a person, the speaker keeps that person.
   */
  compare(speakerId: number, personId: string | null): void {
    if (this.#compared.size < speakersKept) this.#compared.add(speakerId);
    if (personId !== null && !this.#bySpeaker.has(speakerId)) {
      keep(this.#bySpeaker, speakerId, assigneeOf(personId));
    }
    this.review([speakerId]);
  }

  /** All speakers that have a person, assigned by a client or recognised by voice. */
  get names(): readonly SpeakerIdentity[] {
    return [...this.#bySpeaker].map(([speakerId, assignee]) => [
      speakerId,
      assignee.kind === 'user' ? ownerId : assignee.personId,
    ]);
  }

  /** Marks all stored segments of these speakers for a check, because some may belong to other speakers. */
  review(speakerIds: readonly number[]): void {
    if (speakerIds.length === 0) return;
    const { named, speakers } = this.#pending ?? nothingPending;
    const added = speakerIds.map((id) => [id, speakers.get(id) ?? null] as const);
    this.#pending = { named, speakers: new Map([...speakers, ...added]), after: -1 };
  }

  /** Merges speaker `from` into speaker `to`. If `to` has no person, it gets the person of `from`. */
  move({ from, to }: VoiceMove): void {
    this.#moved.set(from, to);
    const assignee = this.#bySpeaker.get(from);
    if (assignee !== undefined && !this.#bySpeaker.has(to)) keep(this.#bySpeaker, to, assignee);
    this.review([from]);
  }

  /** Assigns a new segment to the person of its speaker. */
  attribute<Segment extends IncomingSegment & LiveSegment>(segment: Segment): LiveSegment {
    return assignSpeaker(this.#marked(segment), this.#assignments);
  }

  /** Query for the stored segments that may change; null if no assignment is pending. */
  get question(): Omit<SegmentQuestion, 'limit'> | null {
    if (this.#pending === null) return null;
    const { named, speakers, after } = this.#pending;
    return { segmentIds: [...named], speakerIds: [...speakers.keys()], after };
  }

  /**
   * Applies the pending assignments to stored segments. Segments to which a client assigned a person individually
   * always change. Other segments of the speaker change if they have no person, or if they have the wrong person that
   * the client corrected.
   * @param numberOf returns the speaker that diarization now gives to a stored segment, or null if unchanged.
   * @returns the changed segments with their next revision. `undo` makes the assignments pending again if storing
   * fails.
   */
  reattribute(
    recent: readonly StoredSegment[],
    { segments, rest }: EarlierSegments,
    numberOf: (segment: LiveSegment) => number | null = () => null,
  ): { changed: StoredSegment[]; undo: () => void } {
    const pending = this.#pending;
    const left =
      pending === null || rest === 'none' ? null : rest === 'unavailable' ? pending : { ...pending, ...rest };
    this.#pending = left;
    const { named, speakers } = pending ?? nothingPending;
    const before = [...segments, ...recent];
    const stored = before.map((entry) => this.#relabelled(entry, numberOf(entry.segment)));
    const relabelled = stored.filter((entry, index) => entry !== before[index]);
    const corrected = stored.flatMap((entry) => {
      const { id, speaker_id } = entry.segment;
      const byName = named.has(id) ? this.#bySegment.get(id) : undefined;
      if (byName !== undefined) return correct(entry, byName);
      const before = this.#bySegment.has(id) ? null : (speakers.get(speaker_id) ?? null);
      if (before === null || !isAttributed(entry.segment, before)) return [];
      return correct(entry, this.#bySpeaker.get(speaker_id)!);
    });
    const done = new Set(corrected.map(({ segment }) => segment.id));
    const others = stored.filter(({ segment }) => !done.has(segment.id));
    return {
      changed: newestOf([...relabelled, ...corrected, ...assignSpeakers(others, this.#assignments)]),
      undo: () => {
        if (this.#pending === left) this.#pending = pending;
        else if (this.#pending !== null && pending !== null) {
          const since = this.#pending;
          this.#pending = {
            named: new Set([...named, ...since.named]),
            speakers: new Map([...speakers, ...since.speakers]),
            after: -1,
          };
        }
      },
    };
  }

  /**
   * Returns a stored segment with its current speaker. If a person was assigned to this segment individually, the
   * segment keeps that person.
   */
  #relabelled(entry: StoredSegment, number: number | null): StoredSegment {
    const { segment } = entry;
    const speaker = this.#followed(number ?? segment.speaker_id);
    if (speaker === segment.speaker_id) {
      const marked = this.#marked(segment);
      return marked === segment ? entry : { ...entry, segment: marked, revision: entry.revision + 1 };
    }
    const named = this.#bySegment.has(segment.id);
    const labelled = {
      ...segment,
      speaker: speakerLabel(speaker),
      speaker_id: speaker,
      speech_profile_processed: this.#compared.has(speaker),
      ...(named ? {} : { is_user: false, person_id: null }),
    };
    return {
      ...entry,
      segment: assignSpeaker(labelled, this.#assignments),
      revision: entry.revision + 1,
    };
  }

  /** Marks a segment as compared if its speaker's voice was compared with known voices. */
  #marked<Segment extends LiveSegment>(segment: Segment): Segment {
    if (segment.speech_profile_processed || !this.#compared.has(segment.speaker_id)) return segment;
    return { ...segment, speech_profile_processed: true };
  }

  #followed(speaker: number): number {
    let at = speaker;
    for (let to = this.#moved.get(at); to !== undefined; to = this.#moved.get(at)) at = to;
    return at;
  }

  get #assignments(): SpeakerAssignments {
    return { bySegment: this.#bySegment, bySpeaker: this.#bySpeaker };
  }
}

/** Returns the last version of each segment. */
const newestOf = (changed: readonly StoredSegment[]): StoredSegment[] => [
  ...new Map(changed.map((entry) => [entry.segment.id, entry])).values(),
];

const assigneeOf = (personId: string): Assignee =>
  personId === ownerId ? { kind: 'user' } : { kind: 'person', personId };

const keep = (map: Map<number, Assignee>, speakerId: number, assignee: Assignee): void => {
  if (map.size < speakersKept || map.has(speakerId)) map.set(speakerId, assignee);
};

const isAttributed = (segment: LiveSegment, assignee: Assignee): boolean =>
  segment.is_user === (assignee.kind === 'user') &&
  segment.person_id === (assignee.kind === 'person' ? assignee.personId : null);

const correct = (entry: StoredSegment, assignee: Assignee): StoredSegment[] => {
  if (isAttributed(entry.segment, assignee)) return [];
  const person = assignee.kind === 'person' ? assignee.personId : null;
  const segment = { ...entry.segment, is_user: assignee.kind === 'user', person_id: person };
  return [{ ...entry, segment, revision: entry.revision + 1 }];
};

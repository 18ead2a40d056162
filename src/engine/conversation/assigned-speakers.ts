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

/** Speakers of one conversation who are kept with their person. */
const speakersKept = 1000;

/** What was said since stored segments were last looked through. */
interface Pending {
  /** Segments that were named. */
  readonly named: ReadonlySet<string>;
  /** Speakers of whom something was said, with whom they had been taken for before, if a client corrects that. */
  readonly speakers: ReadonlyMap<number, Assignee | null>;
  /** Position up to which earlier segments have been looked through. */
  readonly after: number;
}

const nothingPending: Pending = { named: new Set(), speakers: new Map(), after: -1 };

/** A speaker, and who it is: the id of a person, or `user`. */
export type SpeakerIdentity = readonly [speakerId: number, personId: string];

/** What was found, and what a user said, about who speaks in one conversation. */
export class AssignedSpeakers {
  readonly #bySegment = new Map<string, Assignee>();
  readonly #bySpeaker = new Map<number, Assignee>();
  /** Speakers that were found to be others. */
  readonly #moved = new Map<number, number>();
  /** Speakers whose voices were compared with those that are known. */
  readonly #compared = new Set<number>();
  #pending: Pending | null = null;

  /** Something was said that stored segments do not show yet. */
  get changed(): boolean {
    return this.#pending !== null;
  }

  /** Segments that the user assigned: they neither absorb others nor are absorbed. */
  get protectedIds(): ReadonlySet<string> {
    return new Set(this.#bySegment.keys());
  }

  /** Takes up what was said before another stream continued the conversation. */
  restore(speakers: readonly SpeakerName[]): void {
    for (const { speakerId, isUser, personId } of speakers) {
      if (this.#bySpeaker.has(speakerId)) continue;
      keep(this.#bySpeaker, speakerId, assigneeOf(isUser ? ownerId : personId!));
    }
  }

  /**
   * @param personId `user` is the owner of the account.
   * @param segmentIds those that are named change whatever person they had. Without any, all segments of the speaker do that
   *   were not named one by one.
   * @returns why nothing was done, null when it was.
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

  /** Speakers of whom something was said, or found. */
  has(speakerId: number): boolean {
    return this.#bySpeaker.has(speakerId);
  }

  /** Takes up which voices had been compared before another stream continued the conversation. */
  restoreCompared(speakerIds: Iterable<number>): void {
    for (const speakerId of speakerIds) this.#compared.add(speakerId);
  }

  /**
   * The voice of a speaker was compared with those that are known, which its segments tell from now on.
   * @param personId whom it was found to be, null for no one. Does not change what was said of the speaker before.
   */
  compare(speakerId: number, personId: string | null): void {
    if (this.#compared.size < speakersKept) this.#compared.add(speakerId);
    if (personId !== null && !this.#bySpeaker.has(speakerId)) {
      keep(this.#bySpeaker, speakerId, assigneeOf(personId));
    }
    this.review([speakerId]);
  }

  /** Who the speakers are that a client named, or that were recognised. */
  get names(): readonly SpeakerIdentity[] {
    return [...this.#bySpeaker].map(([speakerId, assignee]) => [
      speakerId,
      assignee.kind === 'user' ? ownerId : assignee.personId,
    ]);
  }

  /** Some of what these speakers said was said by others: all their stored segments are looked through. */
  review(speakerIds: readonly number[]): void {
    if (speakerIds.length === 0) return;
    const { named, speakers } = this.#pending ?? nothingPending;
    const added = speakerIds.map((id) => [id, speakers.get(id) ?? null] as const);
    this.#pending = { named, speakers: new Map([...speakers, ...added]), after: -1 };
  }

  /** What one speaker said was said by another. Who the one was said to be, the other is, unless something was said of that one. */
  move({ from, to }: VoiceMove): void {
    this.#moved.set(from, to);
    const assignee = this.#bySpeaker.get(from);
    if (assignee !== undefined && !this.#bySpeaker.has(to)) keep(this.#bySpeaker, to, assignee);
    this.review([from]);
  }

  /** Attributes a new segment. */
  attribute<Segment extends IncomingSegment & LiveSegment>(segment: Segment): LiveSegment {
    return assignSpeaker(this.#marked(segment), this.#assignments);
  }

  /** Which stored segments may change; null when nothing was said. */
  get question(): Omit<SegmentQuestion, 'limit'> | null {
    if (this.#pending === null) return null;
    const { named, speakers, after } = this.#pending;
    return { segmentIds: [...named], speakerIds: [...speakers.keys()], after };
  }

  /**
   * Attributes stored segments anew. Those that were named change, whichever speaker they had before; the others of the
   * speaker change unless they already have a person that this does not correct.
   * @param numberOf the speaker of a stored segment as it is known by now, null where nothing new is known.
   * @returns those that changed, with the next revision, and how to take it back when they could not be stored.
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

  /** A stored segment with its speaker as it is known by now. Whom it was attributed to as a segment it keeps. */
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

  /** A segment that tells that its voice was compared, where it was. */
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

/** The last version of each segment. */
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

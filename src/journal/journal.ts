import type { NewPhoto, PhotoBounds, PhotoDescription, PhotoStored } from '../store/conversations/index.js';
import type { PastConversation, TakenConversation } from '../store/live/index.js';
import type { KnownVoices, LearnedVoice, ResolvedPerson, VoicePrint } from '../store/records/index.js';
import type { SegmentQuestion, SpeakerLabel, SpeakerName } from '../store/segments/index.js';
import type { StoredSegment } from '../wire/index.js';

export type {
  KnownVoices,
  LearnedVoice,
  NewPhoto,
  PastConversation,
  PhotoBounds,
  PhotoDescription,
  PhotoStored,
  ResolvedPerson,
  SegmentQuestion,
  SpeakerLabel,
  SpeakerName,
  VoicePrint,
};

/** Which in-progress conversation a stream continues: one per user, source and device. */
export interface ConversationKey {
  readonly uid: string;
  readonly source: string;
  /** `{platform}_{hash}` or null. */
  readonly deviceId: string | null;
}

export interface OpenConversation extends ConversationKey {
  readonly language: string;
  /** Seconds of silence after which it is processed. */
  readonly timeout: number;
  readonly clientPlatform: string | null;
  readonly usesCustomStt: boolean;
  /** Wall clock, ms since the epoch. */
  readonly now: number;
  /** The id that the client proposes, a UUID: that conversation is continued, or begun, or a new one is begun. Absent: none. */
  readonly proposed?: string | null;
}

/** The right to write a conversation: every write is fenced by the epoch. */
export interface Lease {
  readonly conversationId: string;
  readonly uid: string;
  readonly epoch: number;
}

export interface ResumedConversation
  extends Omit<TakenConversation, 'id' | 'epoch' | 'conversation' | 'finished' | 'past'>,
    Partial<Pick<TakenConversation, 'past'>> {
  readonly lease: Lease;
}

/** Whom a client means: the id is whatever it sent, the name is storable and within its bound, or empty. */
export interface GivenPerson {
  readonly id: string;
  readonly name: string;
}

/** Vectors of a speaker model: its name, and their length. */
export interface VoiceVectors {
  readonly model: string;
  readonly dimensions: number;
}

/** What one conversation gained since the last tick. */
export interface ConversationChange {
  readonly lease: Lease;
  /** Wall clock (ms) of time 0 of the segments; given again only where it is earlier than before. */
  readonly startedAt?: number | undefined;
  /** Wall clock (ms) of the last speech. */
  readonly lastSpeechAt: number;
  /** Mean probability of the speech since the lease was taken; absent where it is not known. */
  readonly speechProbability?: number | undefined;
  readonly upserts: readonly StoredSegment[];
  /** Ids absorbed by merging, with the revision of the deletion. */
  readonly deletions: readonly { readonly id: string; readonly revision: number }[];
}

/** How a change became durable. `fenced`: refused, another owner has the conversation; nothing was written. */
export type Durability = 'database' | 'spill' | 'fenced';

/**
 * Durable hand-off of what sessions produced. A segment is sent to its socket only after `commit` has resolved with
 * `database` or `spill` for its conversation. One journal per shard; it owns its database connection and its spill.
 *
 * While the database is away every call is answered from the spill: an `open` then creates a conversation with a
 * new id (it stays one of its own after the replay), a `commit` resolves `spill` after the local store is synced.
 */
export interface Journal {
  /**
   * Takes over the in-progress conversation of a key when it is still within its timeout, or begins one. While the database is away
   * nothing is known of a proposed id, which may be another user's: a conversation then begins with an id of its own.
   */
  open(request: OpenConversation): Promise<ResumedConversation>;
  /** One multi-row statement for all conversations of a tick. Rejects with `journal_spill_failed` only. */
  commit(changes: readonly ConversationChange[]): Promise<ReadonlyMap<string, Durability>>;
  /**
   * Stores a photo whose file is written. It is not spilled: null while the database is away, and the client keeps its image.
   * @param seenAt wall clock, ms.
   */
  storePhoto(lease: Lease, photo: NewPhoto, bounds: PhotoBounds, seenAt: number): Promise<PhotoStored | null>;
  /** Those of these photos that do not wait for a description any more; null while the database is away. */
  describedPhotos(ids: readonly string[]): Promise<readonly PhotoDescription[] | null>;
  /** Renews the leases of live conversations. Resolves with the ids lost. */
  renew(leases: readonly Lease[]): Promise<readonly string[]>;
  /**
   * Ends a conversation: to `processing` when it has segments or photos (a job picks it up), deleted when it has none.
   * Ordered after every commit that went before it.
   */
  finish(lease: Lease, finishedAt: number): Promise<'processing' | 'deleted' | 'fenced' | 'spill'>;
  /** Gives the lease back without ending the conversation: the next stream, or the sweep, takes it over. */
  release(lease: Lease): Promise<void>;
  /** The whole record of a user's conversation as the API shows it (transcript included), for `memory_created`; null if unknown. */
  conversation(uid: string, id: string): Promise<Readonly<Record<string, unknown>> | null>;
  /** The record of a user's conversation without what is long; null if unknown or locked, or while the database is away. */
  announced(uid: string, id: string): Promise<Readonly<Record<string, unknown>> | null>;
  /** Whether no memories or tasks of a completed conversation are to be stored any more; null while the database is away. */
  isFollowed(id: string): Promise<boolean | null>;
  /** Id of the user's last completed conversation, null when there is none or the database is away. */
  lastCompleted(uid: string): Promise<string | null>;
  /** Stored segments that a question names, in order; null while the database is away or the spill is not replayed. */
  earlierSegments(lease: Lease, question: SegmentQuestion): Promise<readonly StoredSegment[] | null>;
  /** Finds one of a user's people, or adds one; null while the database is away. */
  person(uid: string, given: GivenPerson): Promise<ResolvedPerson | null>;
  /** The voices that a user's streams are compared with, as vectors of one speaker model; null while the database is away. */
  knownVoices(uid: string, model: VoiceVectors): Promise<KnownVoices | null>;
  /** Keeps the voice of a person as it was in a conversation. @returns whether it was kept; null while the database is away. */
  learnVoice(learned: LearnedVoice, voice: VoicePrint): Promise<boolean | null>;
  /** Takes back what was learned of a person in a conversation; null while the database is away. */
  unlearnVoice(learned: LearnedVoice): Promise<true | null>;
  /** Calls back when the pipeline is done with a conversation this shard finished: `completed`, or `failed` for good. */
  onCompleted(listener: (conversationId: string) => void): void;
  /** Replays what the spill holds (bounded by `timeout` ms), then closes the connection. */
  close(timeout: number): Promise<void>;
}

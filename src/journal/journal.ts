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

/** Key of an in-progress conversation: streams of the same user, source and device continue the same one. */
export interface ConversationKey {
  readonly uid: string;
  readonly source: string;
  /** `{platform}_{hash}` or null. */
  readonly deviceId: string | null;
}

export interface OpenConversation extends ConversationKey {
  readonly language: string;
  /** Seconds of silence after which the conversation is processed. */
  readonly timeout: number;
  readonly clientPlatform: string | null;
  readonly usesCustomStt: boolean;
  /** Wall clock, ms since the epoch. */
  readonly now: number;
  /** A conversation id (UUID) that the client proposes. The stream continues or starts that conversation, or else starts a new one. */
  readonly proposed?: string | null;
}

/** The right to write a conversation. A write with an outdated epoch is refused. */
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

/** A person as named by a client. The id is unchecked; the name is storable and within its limit, or empty. */
export interface GivenPerson {
  readonly id: string;
  readonly name: string;
}

/** Name of a speaker model, and the length of its vectors. */
export interface VoiceVectors {
  readonly model: string;
  readonly dimensions: number;
}

/** Changes of one conversation since the last tick. */
export interface ConversationChange {
  readonly lease: Lease;
  /** Wall clock (ms) of time 0 of the segments. After the first change it is only set if it is earlier than before. */
  readonly startedAt?: number | undefined;
  /** Wall clock (ms) of the last speech. */
  readonly lastSpeechAt: number;
  /** Mean speech probability since the lease was taken; absent if unknown. */
  readonly speechProbability?: number | undefined;
  readonly upserts: readonly StoredSegment[];
  /** Ids of deleted segments, for example of merged ones, with the revision of the deletion. */
  readonly deletions: readonly { readonly id: string; readonly revision: number }[];
}

/** How a change became durable. `fenced`: another owner has the conversation, and nothing was written. */
export type Durability = 'database' | 'spill' | 'fenced';

/**
 * Durable storage for the results of sessions. A segment is sent to its socket only after `commit` has resolved with `database` or
 * `spill` for its conversation. Each shard has one journal, which owns its database connections and its spill.
 *
 * While the database is away writes go to the spill. An `open` then creates a conversation with a new id, which stays separate after the
 * replay. A `commit` resolves with `spill` after the local store is synced.
 */
export interface Journal {
  /**
   * Takes over the in-progress conversation of a key if its timeout has not passed, or begins a new one. While the database is away a
   * proposed id cannot be checked and may belong to another user. The new conversation then gets a generated id.
   */
  open(request: OpenConversation): Promise<ResumedConversation>;
  /** Stores the changes of all conversations of a tick in one multi-row statement. Rejects with `journal_spill_failed` only. */
  commit(changes: readonly ConversationChange[]): Promise<ReadonlyMap<string, Durability>>;
  /**
   * Stores the record of a photo whose file is already written. Photos are not spilled: while the database is away it resolves with null,
   * and the client keeps its image.
   * @param seenAt time of the photo, wall clock in ms.
   */
  storePhoto(lease: Lease, photo: NewPhoto, bounds: PhotoBounds, seenAt: number): Promise<PhotoStored | null>;
  /** The given photos that no longer wait for a description; null while the database is away. */
  describedPhotos(ids: readonly string[]): Promise<readonly PhotoDescription[] | null>;
  /** Renews the leases of live conversations. Resolves with the ids of conversations that lost their lease. */
  renew(leases: readonly Lease[]): Promise<readonly string[]>;
  /**
   * Ends a conversation. With segments or photos it gets the status `processing`, and a job picks it up; without any it is deleted. It
   * runs after all earlier commits.
   */
  finish(lease: Lease, finishedAt: number): Promise<'processing' | 'deleted' | 'fenced' | 'spill'>;
  /** Gives up the lease without ending the conversation. The next stream, or the sweep, takes it over. */
  release(lease: Lease): Promise<void>;
  /** The whole record of a user's conversation with its transcript, as the API shows it, for `memory_created`; null if unknown. */
  conversation(uid: string, id: string): Promise<Readonly<Record<string, unknown>> | null>;
  /** The record of a user's conversation without its long parts; null if unknown or locked, or while the database is away. */
  announced(uid: string, id: string): Promise<Readonly<Record<string, unknown>> | null>;
  /** Whether all memories and tasks of a completed conversation are stored or given up; null while the database is away. */
  isFollowed(id: string): Promise<boolean | null>;
  /** Id of the user's last completed conversation; null if there is none or the database is away. */
  lastCompleted(uid: string): Promise<string | null>;
  /** Stored segments that a question selects, in order; null while the database is away or the spill is not replayed. */
  earlierSegments(lease: Lease, question: SegmentQuestion): Promise<readonly StoredSegment[] | null>;
  /** Finds one of a user's people, or adds one; null while the database is away. */
  person(uid: string, given: GivenPerson): Promise<ResolvedPerson | null>;
  /** The known voices of a user and the user's people, as vectors of one speaker model; null while the database is away. */
  knownVoices(uid: string, model: VoiceVectors): Promise<KnownVoices | null>;
  /** Stores the voice of a person from a conversation. @returns whether it was stored; null while the database is away. */
  learnVoice(learned: LearnedVoice, voice: VoicePrint): Promise<boolean | null>;
  /** Deletes the voice of a person that was learned in a conversation. @returns null while the database is away. */
  unlearnVoice(learned: LearnedVoice): Promise<true | null>;
  /** Calls `listener` when the pipeline has completed a conversation of this shard, or failed permanently. */
  onCompleted(listener: (conversationId: string) => void): void;
  /** Replays the spill for at most `timeout` ms, then closes the connections. */
  close(timeout: number): Promise<void>;
}

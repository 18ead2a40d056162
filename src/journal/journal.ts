import type { CochleaError } from '../errors/index.js';
import type { NewPhoto, PhotoBounds, PhotoDescription, PhotoStored } from '../store/conversations/index.js';
import type {
  AudioResume,
  ConfirmedAudio,
  PastConversation,
  Replacement,
  StoredVoices,
  TakenConversation,
} from '../store/live/index.js';
import type {
  KnownVoices,
  LearnedVoice,
  ResolvedPerson,
  UserSettingsRow,
  VoicePrint,
} from '../store/records/index.js';
import type { SegmentQuestion, SpeakerLabel, SpeakerName } from '../store/segments/index.js';
import type { AudioPosition, StoredSegment } from '../wire/index.js';
import type { SpokenTimes } from '../wire/spill/index.js';
import type { ConversationKey } from './feeds/index.js';

export type {
  AudioResume,
  ConfirmedAudio,
  KnownVoices,
  LearnedVoice,
  NewPhoto,
  PastConversation,
  PhotoBounds,
  PhotoDescription,
  PhotoStored,
  Replacement,
  ResolvedPerson,
  SegmentQuestion,
  SpeakerLabel,
  SpeakerName,
  SpokenTimes,
  StoredVoices,
  VoicePrint,
};

export interface OpenConversation extends ConversationKey {
  readonly language: string;
  /** Length in seconds of the silence after which the conversation ends and is processed. */
  readonly timeout: number;
  readonly clientPlatform: string | null;
  readonly usesCustomStt: boolean;
  /** Wall clock, ms since the epoch. */
  readonly now: number;
  /**
   * A conversation id (UUID) that the client proposes. The stream continues or begins the conversation with this id if
   * possible. Otherwise it begins a conversation with a different id.
   */
  readonly proposed?: string | null;
  /** Whether to read the stored voices of a continued conversation. The default is false. */
  readonly recognisesVoices?: boolean;
  /**
   * Whether the device keeps its audio until the words are stored. If so, the stream of a fleet waits for an
   * unavailable database, at most for `fixedLimits.clockWait`. Without this wait, the stream would begin a new
   * conversation, although a stored conversation may continue. The default is false.
   */
  readonly resends?: boolean;
}

/** Languages in the settings of a user: the languages that the user speaks, and the user's own language. */
export type UserLanguages = Pick<UserSettingsRow, 'languages' | 'language'>;

/** The right to write a conversation. A write with an outdated epoch is refused. */
export interface Lease {
  readonly conversationId: string;
  readonly uid: string;
  readonly epoch: number;
}

export interface ResumedConversation
  extends Omit<TakenConversation, 'id' | 'epoch' | 'conversation' | 'finished' | 'past' | 'voices'>,
    Partial<Pick<TakenConversation, 'past' | 'voices'>> {
  readonly lease: Lease;
}

/**
 * Id and name of a person, as a client has sent them. The id is not checked yet. The name is empty, or it is storable
 * and not too long.
 */
export interface GivenPerson {
  readonly id: string;
  readonly name: string;
}

/** Name of a speaker model, and the number of components of its vectors. */
export interface VoiceVectors {
  readonly model: string;
  readonly dimensions: number;
}

/** Changes to one conversation since the last tick. */
export interface ConversationChange {
  readonly lease: Lease;
  /**
   * Wall clock (ms) at time 0 of the segments. Changes after the first one contain it only if it has become earlier.
   */
  readonly startedAt?: number | undefined;
  /** Wall clock (ms) of the last speech. */
  readonly lastSpeechAt: number;
  /** Mean speech probability since the lease was acquired; absent if unknown. */
  readonly speechProbability?: number | undefined;
  /** Spoken languages of the whole conversation; absent if they need not be stored. */
  readonly spoken?: SpokenTimes | undefined;
  readonly upserts: readonly StoredSegment[];
  /**
   * Deleted segments, such as segments that were merged into other segments, each with the revision of its deletion.
   */
  readonly deletions: readonly { readonly id: string; readonly revision: number }[];
  /** Voices of the speakers, for the engine that continues the conversation. They are not written to the spill. */
  readonly voices?: Uint8Array | undefined;
  /** Position in the device's recording after this change; absent if the device sends no positions. */
  readonly audio?: AudioPosition | undefined;
  /**
   * Whether the devices send the audio of these words again if the words are refused. If so, refused words are dropped
   * instead of stored later.
   */
  readonly resends?: boolean | undefined;
}

/** Where a change was stored durably. `fenced`: another engine owns the conversation, and nothing was written. */
export type Durability = 'database' | 'spill' | 'fenced';

/**
 * Result of one change of a commit: where it was stored, or the error if this change was not stored although other
 * changes of the commit were.
 */
export type CommitOutcome = Durability | CochleaError;

/**
 * Durable storage for the transcripts of streams. A segment is sent to the client only after `commit` has resolved with
 * `database` or `spill` for the conversation. Each shard has one journal, which owns its database connections and its
 * spill.
 *
 * While the database is not reachable, writes go to the spill. During this time, `open` creates a conversation with a
 * new id, which stays separate after the replay. `commit` resolves with `spill` when the spill is synced to disk. With
 * `SPILL_KEY`, `commit` also waits until the fleet's stream of spilled entries has a copy, at most for a fixed time.
 */
export interface Journal {
  /**
   * Takes over the in-progress conversation of a key if its timeout has not passed. Otherwise begins a new
   * conversation. While the database is not reachable, a proposed id cannot be checked and may belong to another user.
   * So the new conversation gets a generated id in this case.
   */
  open(request: OpenConversation): Promise<ResumedConversation>;
  /**
   * Stores the changes of all conversations of a tick with one multi-row statement. Rejects only with
   * `journal_spill_failed` and, with `MIN_DURABILITY=stream`, with `durability_unmet`.
   */
  commit(changes: readonly ConversationChange[]): Promise<ReadonlyMap<string, CommitOutcome>>;
  /**
   * Checks whether another journal with a valid lease has taken over the conversation or a newer conversation of the
   * same key. Call it after a write was fenced, or after another engine has reported a newer stream.
   * @param options.held whether the lease may still be valid. If true, the lease is not forgotten.
   * @returns the stored state of the lost conversation. Null if no other journal has a conversation of the key, or
   *   while the database is not reachable. If the result is null, the journal forgets the lost lease, unless `held` is
   *   true.
   */
  replacement(
    lease: Lease,
    key: ConversationKey,
    options?: { readonly held: boolean },
  ): Promise<Replacement | null>;
  /**
   * Stores segments of a conversation that another journal has taken over, without taking the conversation back. The
   * segments must be new, because the other journal may be changing the stored segments.
   * @throws CochleaError `journal_spill_failed`, `durability_unmet`
   */
  commitLate(change: ConversationChange): Promise<'database' | 'spill'>;
  /**
   * Stores the record of a photo whose file is already written. Photos are not written to the spill. If the database is
   * not reachable, resolves with null, and the client must keep the image.
   * @param seenAt time of the photo, wall clock in ms.
   */
  storePhoto(lease: Lease, photo: NewPhoto, bounds: PhotoBounds, seenAt: number): Promise<PhotoStored | null>;
  /** Returns the given photos that no longer wait for a description; null while the database is not reachable. */
  describedPhotos(ids: readonly string[]): Promise<readonly PhotoDescription[] | null>;
  /**
   * Renews the lease that covers all conversations of this journal. While the journal holds a conversation, call it
   * three times within the duration of the lease. The result does not show whether another engine has taken over a
   * conversation; the next write to the conversation shows it.
   */
  renew(): Promise<void>;
  /**
   * Ends a conversation, after all earlier commits. If it has segments or photos, it gets the status `processing`
   * and is processed later. Otherwise it is deleted.
   */
  finish(lease: Lease, finishedAt: number): Promise<'processing' | 'deleted' | 'fenced' | 'spill'>;
  /**
   * Releases a conversation without ending it. The next stream continues the conversation, or `sweepOrphans` ends it
   * after its timeout. Call this method after all commits of the lease have resolved.
   * @param voices voices of the speakers, for the engine that continues the conversation; undefined if they are already
   *   stored. Voices are not written to the spill.
   */
  release(lease: Lease, voices?: Uint8Array): Promise<'database' | 'spill'>;
  /**
   * Returns the complete record of a user's conversation with its transcript, as the event `memory_created` contains
   * it. Returns null if the conversation is unknown.
   */
  conversation(uid: string, id: string): Promise<Readonly<Record<string, unknown>> | null>;
  /**
   * Returns the record of a user's conversation without its long fields. Returns null if the conversation is unknown or
   * locked, or while the database is not reachable.
   */
  announced(uid: string, id: string): Promise<Readonly<Record<string, unknown>> | null>;
  /**
   * Whether all memories and tasks of a completed conversation are stored, or their creation was given up; null
   * while the database is not reachable.
   */
  isFollowed(id: string): Promise<boolean | null>;
  /**
   * Returns the id of the user's last completed conversation. Returns null if there is none or the database is not
   * reachable.
   */
  lastCompleted(uid: string): Promise<string | null>;
  /**
   * Returns the stored segments that a query selects, in order. Returns null while the database is not reachable or
   * the spill is not replayed.
   */
  earlierSegments(lease: Lease, question: SegmentQuestion): Promise<readonly StoredSegment[] | null>;
  /**
   * Returns the position up to which a device's recording is stored; null if nothing is stored, or while the database
   * is not reachable.
   * @param clock the id by which the device identifies the recording (`stream_clock`).
   */
  audioConfirmed(key: ConversationKey, clock: string): Promise<ConfirmedAudio | null>;
  /**
   * Gives a number to a new stream of a recording, which `clock` identifies. Call it before the device may send audio
   * on the stream. While the database is not reachable, waits at most `fixedLimits.clockWait`.
   * @returns the number of the stream; undefined if the database was not reachable in time. Without a bus, streams have
   *   no numbers, so the result is undefined and nothing is written.
   */
  numberStream(key: ConversationKey, clock: string): Promise<number | undefined>;
  /**
   * Checks whether a device has sent audio of a recording on a stream newer than `stream`; null while the database is
   * not reachable.
   */
  hasNewerAudio(key: ConversationKey, clock: string, stream: number): Promise<boolean | null>;
  /**
   * Records the positions from which a device sends audio on a stream. Call it when the first audio has arrived. From
   * then on, words of earlier streams are not stored late if their audio lies after these positions. Waits for the
   * database like `numberStream`.
   * @returns the stored position of each track; null if the database was not reachable in time.
   */
  noteResume(key: ConversationKey, resume: AudioResume): Promise<readonly number[] | null>;
  /**
   * Returns the languages in the settings of a user. Returns null for an unknown user, or while the database is not
   * reachable.
   */
  languages(uid: string): Promise<UserLanguages | null>;
  /**
   * Returns the custom words of a user, and then the names of the user's people; null while the database is not
   * reachable.
   */
  keywords(uid: string): Promise<readonly string[] | null>;
  /** Finds one of a user's people, or adds one. Resolves with null while the database is not reachable. */
  person(uid: string, given: GivenPerson): Promise<ResolvedPerson | null>;
  /**
   * Returns the known voices of a user and of the user's people, as vectors of one speaker model; null while the
   * database is not reachable.
   */
  knownVoices(uid: string, model: VoiceVectors): Promise<KnownVoices | null>;
  /**
   * Stores the voice of a person from a conversation. @returns whether it was stored; null while the database is
   * not reachable.
   */
  learnVoice(learned: LearnedVoice, voice: VoicePrint): Promise<boolean | null>;
  /**
   * Deletes the voice of a person that was learned in a conversation. @returns null while the database is not
   * reachable.
   */
  unlearnVoice(learned: LearnedVoice): Promise<true | null>;
  /** Calls `listener` when the processing of a conversation of this shard is complete or has failed permanently. */
  onCompleted(listener: (conversationId: string) => void): void;
  /** Replays the spill for at most `timeout` ms, then closes the connections. */
  close(timeout: number): Promise<void>;
}

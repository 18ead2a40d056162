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
   * A conversation id (UUID) that the client proposes. The stream continues or starts this conversation if
   * possible, otherwise it starts one with another id.
   */
  readonly proposed?: string | null;
  /** Whether to read the stored voices of a continued conversation. The default is false. */
  readonly recognisesVoices?: boolean;
  /**
   * Whether the device keeps its audio until it is stored. In a fleet, the stream then waits for an unavailable
   * database, at most for `fixedLimits.clockWait`, because a new conversation would divide the stored one. The default
   * is false.
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

/** A person as named by a client. The id is not checked yet. The name is storable and within its limit, or empty. */
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
  /** Wall clock (ms) at time 0 of the segments. After the first change it is set only if it becomes earlier. */
  readonly startedAt?: number | undefined;
  /** Wall clock (ms) of the last speech. */
  readonly lastSpeechAt: number;
  /** Mean speech probability since the lease was acquired; absent if unknown. */
  readonly speechProbability?: number | undefined;
  /** Languages of all speech of the conversation; absent if they need not be stored. */
  readonly spoken?: SpokenTimes | undefined;
  readonly upserts: readonly StoredSegment[];
  /** Ids of deleted segments, such as segments that were merged into others. Each has the revision of its deletion. */
  readonly deletions: readonly { readonly id: string; readonly revision: number }[];
  /** Voices of the speakers, for the engine that continues the conversation. They are not written to the spill. */
  readonly voices?: Uint8Array | undefined;
  /** Position of the audio on the device's clock, as it is after this change; absent if the device uses no clock. */
  readonly audio?: AudioPosition | undefined;
  /** Whether the devices send the audio again if these words are refused. If so, refused words are not stored later. */
  readonly resends?: boolean | undefined;
}

/** Where a change was stored durably. `fenced`: another engine owns the conversation, and nothing was written. */
export type Durability = 'database' | 'spill' | 'fenced';

/** What became of a change: where it is, or the error why it is nowhere although others of the commit were stored. */
export type CommitOutcome = Durability | CochleaError;

/**
 * Durable storage for the results of sessions. A segment is sent to its socket only after `commit` has resolved with
 * `database` or `spill` for its conversation. Each shard has one journal, which owns its database connections and its
 * spill.
 *
 * While the database is not reachable, writes go to the spill. `open` then creates a conversation with a new id, which
 * stays separate after the replay. `commit` resolves with `spill` once the spill is synced to disk. With `SPILL_KEY`,
 * it also waits until the fleet's stream of spilled entries has a copy, at most for a fixed time.
 */
export interface Journal {
  /**
   * Takes over the in-progress conversation of a key if its timeout has not passed, otherwise begins a new one.
   * While the database is not reachable, a proposed id cannot be checked and may belong to another user. The new
   * conversation then gets a generated id.
   */
  open(request: OpenConversation): Promise<ResumedConversation>;
  /**
   * Stores the changes of all conversations of a tick with one multi-row statement. Its only rejections are
   * `journal_spill_failed` and, with `MIN_DURABILITY=stream`, `durability_unmet`.
   */
  commit(changes: readonly ConversationChange[]): Promise<ReadonlyMap<string, CommitOutcome>>;
  /**
   * Checks whether another journal with a valid lease has the conversation of a key. Called after a write was fenced,
   * or after another engine reported a newer stream.
   * @param options.held whether the lease may still be valid. If true, the lease is not forgotten.
   * @returns the stored state of the lost conversation. Null if no other journal has a conversation of the key, or
   * while the database is not reachable. In these two cases the journal forgets the lost lease, unless `held` is true.
   */
  replacement(
    lease: Lease,
    key: ConversationKey,
    options?: { readonly held: boolean },
  ): Promise<Replacement | null>;
  /**
   * Stores segments of a conversation that another journal has taken over, without taking the conversation back. The
   * segments must be new, because the other journal may be writing the stored ones.
   * @throws CochleaError `journal_spill_failed`, `durability_unmet`
   */
  commitLate(change: ConversationChange): Promise<'database' | 'spill'>;
  /**
   * Stores the record of a photo whose file is already written. Photos are not spilled. If the database is not
   * reachable it resolves with null, and the client must keep its image.
   * @param seenAt time of the photo, wall clock in ms.
   */
  storePhoto(lease: Lease, photo: NewPhoto, bounds: PhotoBounds, seenAt: number): Promise<PhotoStored | null>;
  /** Returns the given photos that no longer wait for a description; null while the database is not reachable. */
  describedPhotos(ids: readonly string[]): Promise<readonly PhotoDescription[] | null>;
  /**
   * Renews the lease that covers all conversations of this journal. Called three times within its duration while the
   * journal holds a conversation. A conversation that another engine took over is noticed at its next write.
   */
  renew(): Promise<void>;
  /**
   * Ends a conversation, after all earlier commits. If it has segments or photos, it gets the status `processing`
   * and is processed later. Otherwise it is deleted.
   */
  finish(lease: Lease, finishedAt: number): Promise<'processing' | 'deleted' | 'fenced' | 'spill'>;
  /**
   * Gives up the conversation without ending it. The next stream takes it over, or the sweep ends it after its timeout.
   * Call it after all commits of the lease have resolved.
   * @param voices voices of the speakers, for the engine that continues the conversation; undefined if they are already
   * stored. They are not written to the spill.
   */
  release(lease: Lease, voices?: Uint8Array): Promise<'database' | 'spill'>;
  /**
   * Returns the complete record of a user's conversation with its transcript, as the API shows it. It is sent as
   * `memory_created`; null if unknown.
   */
  conversation(uid: string, id: string): Promise<Readonly<Record<string, unknown>> | null>;
  /**
   * Returns the record of a user's conversation without its long fields. Returns null if it is unknown or locked,
   * or while the database is not reachable.
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
   * Returns how much audio of a device's recording is stored; null if there is none, or while the database is not
   * reachable. @param clock the id by which the device identifies the recording (`stream_clock`).
   */
  audioConfirmed(key: ConversationKey, clock: string): Promise<ConfirmedAudio | null>;
  /**
   * Numbers a new stream among the streams of a recording, which `clock` identifies. Call it before the device may send
   * audio on the stream. While the database is not reachable, it waits at most `fixedLimits.clockWait`.
   * @returns undefined if the database was not reachable in time. Also undefined without a bus: streams then have no
   * numbers, and nothing is written.
   */
  numberStream(key: ConversationKey, clock: string): Promise<number | undefined>;
  /** Checks whether a device has sent audio on a newer stream; null while the database is not reachable. */
  hasNewerAudio(key: ConversationKey, clock: string, stream: number): Promise<boolean | null>;
  /**
   * Records the positions from which a device sends audio on a stream. Call it when the first audio has arrived. Words
   * of earlier streams whose audio lies behind these positions are then not stored late. It waits for the database like
   * `numberStream`.
   * @returns the newest position of each track that is stored; null if the database was not reachable in time.
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

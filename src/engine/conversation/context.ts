import type { ShardStreams } from '../../journal/feeds/index.js';
import type { Journal, Lease, PhotoBounds, Replacement } from '../../journal/index.js';
import type { Logger } from '../../log/index.js';
import type { MetricsRow } from '../../metrics/index.js';
import type { ConversationPositions } from '../positions/index.js';
import type { Committer, EngineClock, TranslationEventName, WorkTurns } from '../shared/index.js';
import type { ConversationVoices, VoiceMemory } from '../voices/index.js';
import type { Completions } from './completions.js';
import type { ConversationOptions } from './member.js';
import type { Replacements } from './replacements.js';
import type { SpokenLanguages } from './spoken-languages.js';
import type { Transcript } from './transcript.js';
import type { TranslationChannel } from './translation-channel.js';

/** Objects that all conversations of a shard share. */
export interface ConversationContext {
  readonly journal: Journal;
  readonly committer: Committer;
  readonly completions: Completions;
  readonly clock: EngineClock;
  readonly metrics: MetricsRow;
  readonly log: Logger;
  readonly turns: WorkTurns;
  readonly replacements: Replacements<HeldConversation>;
  /** Voices of the shard's conversations; null if diarization is disabled. */
  readonly voices: VoiceMemory | null;
  readonly photoBounds: PhotoBounds;
  /** Translates segments; null if translation is disabled. */
  readonly translations: TranslationChannel | null;
  readonly translationEvent: TranslationEventName;
  /** Announces streams to other engines; absent without a bus. */
  readonly streams?: Pick<ShardStreams, 'opened' | 'closed'> | undefined;
  /** Makes a conversation store its waiting segments soon, without waiting for the next regular tick. */
  readonly hurry: (conversation: { tick(): Promise<void> }) => void;
}

/** A conversation that this shard may write: its lease, transcript and voices. */
export interface HeldConversation {
  readonly lease: Lease;
  readonly transcript: Transcript;
  readonly voices: ConversationVoices | null;
  /** Languages of the stored speech. */
  languages: SpokenLanguages;
  /** Whether a photo was stored under this lease. */
  hasPhotos: boolean;
  /**
   * Set after another engine took the conversation over. The last words of this shard are then stored as separate
   * segments, because the other engine writes the rest of the conversation.
   */
  readonly replacement?: Replacement;
}

/** The parts of a live conversation that its writer, speakers and translations use: its state and its sockets. */
export interface ConversationState {
  readonly uid: string;
  readonly held: () => HeldConversation | null;
  readonly options: () => ConversationOptions;
  /** Wall clock (ms) of the last speech. */
  readonly lastSpeechAt: () => number;
  /** Mean speech probability since the lease was acquired; undefined if unknown. */
  readonly speechProbability: () => number | undefined;
  /** Number of open sockets. */
  readonly members: () => number;
  /** Positions of the audio of the sockets. */
  readonly positions: ConversationPositions;
  /** Sends an event to all sockets. */
  readonly broadcast: (text: string) => void;
  /** Makes the conversation store its waiting segments soon, without waiting for the next regular tick. */
  readonly hurry: () => void;
}

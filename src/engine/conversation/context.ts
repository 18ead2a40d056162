import type { Journal, Lease, PhotoBounds } from '../../journal/index.js';
import type { Logger } from '../../log/index.js';
import type { MetricsRow } from '../../metrics/index.js';
import type { Committer, EngineClock, TranslationEventName, WorkTurns } from '../shared/index.js';
import type { ConversationVoices, VoiceMemory } from '../voices/index.js';
import type { Completions } from './completions.js';
import type { ConversationOptions } from './member.js';
import type { Transcript } from './transcript.js';
import type { TranslationChannel } from './translation-channel.js';

/** What every conversation of a shard works with. */
export interface ConversationContext {
  readonly journal: Journal;
  readonly committer: Committer;
  readonly completions: Completions;
  readonly clock: EngineClock;
  readonly metrics: MetricsRow;
  readonly log: Logger;
  readonly turns: WorkTurns;
  /** The voices of conversations, where they are told apart on this machine. */
  readonly voices: VoiceMemory | null;
  readonly photoBounds: PhotoBounds;
  /** Has segments translated; null where nothing does. */
  readonly translations: TranslationChannel | null;
  readonly translationEvent: TranslationEventName;
  /** Has a conversation store what it has before the next tick. */
  readonly hurry: (conversation: { tick(): Promise<void> }) => void;
}

/** The right to write a conversation, and what is stored of it. */
export interface HeldConversation {
  readonly lease: Lease;
  readonly transcript: Transcript;
  readonly voices: ConversationVoices | null;
  /** A photo was stored since it is held. */
  hasPhotos: boolean;
}

/** A live conversation as its parts see it: what is true now, and its sockets. */
export interface ConversationState {
  readonly uid: string;
  readonly held: () => HeldConversation | null;
  readonly options: () => ConversationOptions;
  /** Wall clock, ms. */
  readonly lastSpeechAt: () => number;
  /** Mean probability of its speech since it is held; undefined where it is not known. */
  readonly speechProbability: () => number | undefined;
  /** How many sockets it has. */
  readonly members: () => number;
  /** Sends an event to all of them. */
  readonly broadcast: (text: string) => void;
  /** Has what came be stored before the next tick. */
  readonly hurry: () => void;
}

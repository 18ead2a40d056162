import type { StoredSegment } from '../../wire/index.js';
import type { BegunConversation } from '../../wire/spill/index.js';
import type { ConversationStatus } from '../record/index.js';
import type { SpeakerLabel, SpeakerName } from '../segments/index.js';
import type { StoredVoices } from './conversation-voices.js';

/** The conversation of a stream, as the stream got it from the database. */
export interface TakenConversation {
  readonly id: string;
  readonly epoch: number;
  readonly resumed: boolean;
  /**
   * The values of the conversation's row. The timeout is that of the resuming stream. `usesCustomStt` is true if it is
   * true in the row or for the stream.
   */
  readonly conversation: BegunConversation;
  /** Code of the language of most speech. If no speech has a known language, it is the language of the first stream. */
  readonly language: string;
  /** Milliseconds of speech by language code, without speech whose language is unknown. */
  readonly spoken: Readonly<Record<string, number>>;
  /** Wall clock of the segments' time 0 (ms since the epoch); null while there are no segments. */
  readonly startedAt: number | null;
  /** Wall clock of the last speech (ms since the epoch). */
  readonly lastSpeechAt: number;
  /** The last stored segment, which new words may continue; null when there is none. */
  readonly tail: StoredSegment | null;
  /**
   * Whether the tail must not change, because the spill of an earlier holder may still change it. That spill may also
   * contain segments that follow the tail.
   */
  readonly isTailClosed: boolean;
  readonly segmentCount: number;
  /** Number of characters in the segments' texts and names. */
  readonly characters: number;
  /** The user or the people to whom the conversation's speakers were attributed. */
  readonly speakers: readonly SpeakerName[];
  /** Labels and numbers of the conversation's speakers, when a client transcribes it. */
  readonly labels: readonly SpeakerLabel[];
  /** Number for the next speaker. It is greater than every speaker's number. */
  readonly nextSpeaker: number;
  /** Voices of the speakers, if the caller asked for them and they are stored; else null. */
  readonly voices: StoredVoices | null;
  /** Older conversations of the same key that were ended and now have the status `processing`. */
  readonly finished: readonly string[];
  /** If the client proposed the id of an ended conversation: that conversation. Otherwise null. */
  readonly past: PastConversation | null;
  /**
   * When the conversation was taken: microseconds of the database's clock. It orders the streams of a key, also if they
   * have different conversations. Absent if the conversation was begun without `takeConversations`.
   */
  readonly takenAt?: number;
}

/** An ended conversation that a client asked for. */
export interface PastConversation {
  readonly id: string;
  readonly status: Exclude<ConversationStatus, 'in_progress'>;
}

/** Returns the result of `takeConversations` for a conversation that was just begun. */
export const newlyTaken = (begun: BegunConversation): TakenConversation => ({
  id: begun.id,
  epoch: 1,
  resumed: false,
  conversation: begun,
  language: begun.language,
  spoken: {},
  startedAt: null,
  lastSpeechAt: begun.createdAt,
  tail: null,
  isTailClosed: false,
  segmentCount: 0,
  characters: 0,
  speakers: [],
  labels: [],
  nextSpeaker: 0,
  voices: null,
  finished: [],
  past: null,
});

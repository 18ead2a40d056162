import type { StoredSegment } from '../../wire/index.js';
import type { BegunConversation } from '../../wire/spill/index.js';
import type { ConversationStatus } from '../record/index.js';
import type { SpeakerLabel, SpeakerName } from '../segments/index.js';
import type { StoredVoices } from './conversation-voices.js';

/** The conversation that a stream continues or begins, as read from the database when the stream opened. */
export interface TakenConversation {
  readonly id: string;
  readonly epoch: number;
  readonly resumed: boolean;
  /**
   * The values of the conversation's row, but the timeout of the stream. `usesCustomStt` is true if it is true in the
   * row or for the stream.
   */
  readonly conversation: BegunConversation;
  /**
   * Code of the language that was spoken longest. If no speech has a known language, it is the language setting of the
   * first stream.
   */
  readonly language: string;
  /** Milliseconds of speech by language code, without speech whose language is unknown. */
  readonly spoken: Readonly<Record<string, number>>;
  /** Wall clock at time 0 of the segments, in ms since the epoch; null while there are no segments. */
  readonly startedAt: number | null;
  /** Wall clock of the last speech (ms since the epoch). */
  readonly lastSpeechAt: number;
  /** The last stored segment, to which new words may be added; null if there is none. */
  readonly tail: StoredSegment | null;
  /**
   * Whether `tail` must stay unchanged, because the spill of an earlier holder may still change it. This spill may also
   * contain segments that follow `tail`.
   */
  readonly isTailClosed: boolean;
  readonly segmentCount: number;
  /** Number of characters in the segments' texts, speaker labels, person ids and provider names. */
  readonly characters: number;
  /** The user or the people to whom the conversation's speakers were attributed. */
  readonly speakers: readonly SpeakerName[];
  /** Labels and numbers of the conversation's speakers. Empty unless a client transcribes the conversation. */
  readonly labels: readonly SpeakerLabel[];
  /** Number for the next new speaker. It is greater than the numbers of all speakers. */
  readonly nextSpeaker: number;
  /** Voices of the speakers, if the caller asked for them and they are stored; else null. */
  readonly voices: StoredVoices | null;
  /** Older conversations of the same key that were ended and now have the status `processing`. */
  readonly finished: readonly string[];
  /** The ended conversation whose id the client proposed; null if the client proposed no such id. */
  readonly past: PastConversation | null;
  /**
   * Time at which the stream took the conversation, in microseconds of the database's clock. Streams of one key are
   * ordered by this time, even if they have different conversations. Absent if the conversation was begun without
   * `takeConversations`.
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

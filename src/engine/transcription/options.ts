import type { Utterance } from '../../audio/interface/index.js';
import type { Logger } from '../../log/index.js';
import type { MetricsRow } from '../../metrics/index.js';
import type { RetainAudio } from '../../stt/retained/index.js';
import type { SpeechOrigin } from '../../stt/shared/index.js';
import type { SpokenSegment } from '../../transcript/index.js';
import type { AudioNeed } from '../../wire/index.js';
import type { TrackPositions } from '../positions/index.js';
import type { UtteranceIds } from '../shared/index.js';
import type { VoicePiece } from '../voices/index.js';
import type { ProviderFailure, ProviderLinkContext } from './provider-link.js';
import type { TrackVoice } from './track-voices.js';

/** Events that occur while a track is transcribed. */
export type TranscriptionEvent =
  /** Final words. The words of utterances come in the order of the utterances. */
  | { readonly kind: 'transcribed'; readonly segment: SpokenSegment }
  /**
   * Provisional words of an open utterance. The final words replace these words under the same id, unless these words
   * are withdrawn.
   */
  | { readonly kind: 'provisional'; readonly segment: SpokenSegment }
  | { readonly kind: 'withdrawn'; readonly id: string }
  /** Reports that no provider serves this stream any more. Sent once. */
  | { readonly kind: 'failed'; readonly failure: ProviderFailure };

/** Origin of a stream's words: its conversation, source, device and platform. */
export type StreamOrigin = Pick<SpeechOrigin, 'conversation' | 'source' | 'device' | 'platform'>;

/** Rules for the use of providers. Durations are in ms. */
export interface ProviderRules {
  readonly connectTimeout: number;
  /** Time in ms after speech within which the provider must send something. Otherwise the provider counts as dead. */
  readonly answerTimeout: number;
  /** Maximum number of failovers to another provider during a session. */
  readonly failovers: number;
  /** Length of the silence that is kept, because speech is announced some time after it began. */
  readonly idle: number;
  /** Maximum length of unconfirmed speech that is transcribed or retained as one utterance. */
  readonly longestRun: number;
  /** Whether words are shown before they are final. */
  readonly interimWords: boolean;
  /** If at least this much audio follows a word, the word is shown without a second result that agrees. */
  readonly interimSettled: number;
  /** Maximum length of an utterance that is transcribed completely for provisional words. */
  readonly interimWhole: number;
}

/** Objects that all transcriptions of a shard share. */
export interface TranscriptionContext extends Pick<ProviderLinkContext, 'choose' | 'health'> {
  /** Stores audio that no provider accepted. */
  readonly retain: RetainAudio;
  readonly clock: ProviderLinkContext['clock'] & { monotonic(): number };
  readonly metrics: MetricsRow;
  readonly utteranceIds: UtteranceIds;
  readonly providerRules: ProviderRules;
}

export interface TranscriptionOptions {
  /** Id of the user. Providers serve users in turn, and the streams of one user in turn. */
  readonly user: string;
  /** Id of the stream, as sent to the provider. */
  readonly stream: string;
  /** Language of the stream, as the client sent it; `multi` if it is detected. */
  readonly language: string;
  /**
   * Returns the languages that the speaker may use: see `SpeakerLanguages`. Called for streams with `multi` whose
   * provider takes utterances. Never rejects.
   */
  readonly candidates: () => Promise<readonly string[]>;
  /** The provider that the client asked for, or null; see `selectProvider`. */
  readonly wanted: string | null;
  /** Returns words that the speaker may use. Called for each request. */
  readonly keywords: () => readonly string[];
  /** Returns the origin of the words. Called for each complete utterance. */
  readonly origin: () => StreamOrigin;
  /** Speaker of the words, unless the user assigns a different speaker. */
  readonly voice: TrackVoice;
  /** Queues audio for diarization; absent if the stream is not diarized. */
  readonly listen?: ((piece: VoicePiece) => void) | undefined;
  /** Sets which audio of this stream the core returns. */
  readonly handOut: (need: AudioNeed) => void;
  /** Enables or disables the core's events about open utterances. */
  readonly watch: (on: boolean) => void;
  /**
   * Sets whether utterances end only after the gate's long silence. Before the first call, the usual silence ends them.
   */
  readonly linger: (on: boolean) => void;
  /** Returns the open utterance so far; undefined if none is open. */
  readonly openUtterance: () => Utterance | undefined;
  /** Positions of the track on the device's clock; absent if the client does not use positions. */
  readonly positions?: TrackPositions | undefined;
  /** Returns the wall-clock time (ms) of a sample of the stream. This time may still become earlier. */
  readonly wallOf: (sample: number) => number;
  /** Returns the wall-clock time (ms) of a sample of final words. Times up to this sample no longer change. */
  readonly tellWall: (sample: number) => number;
  readonly log: Logger;
  /** Handles every event of this stream. Must not throw. */
  readonly emit: (event: TranscriptionEvent) => void;
}

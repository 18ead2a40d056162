import type { Utterance } from '../../audio/interface/index.js';
import type { Logger } from '../../log/index.js';
import type { MetricsRow } from '../../metrics/index.js';
import type { RetainAudio } from '../../stt/retained/index.js';
import type { SpeechOrigin } from '../../stt/shared/index.js';
import type { SpokenSegment } from '../../transcript/index.js';
import type { AudioNeed } from '../../wire/index.js';
import type { UtteranceIds } from '../shared/index.js';
import type { VoicePiece } from '../voices/index.js';
import type { ProviderFailure, ProviderLinkContext } from './provider-link.js';
import type { TrackVoice } from './track-voices.js';

/** What becomes of the speech of a track. */
export type TranscriptionEvent =
  /** Words, in whatever order providers finish. */
  | { readonly kind: 'transcribed'; readonly segment: SpokenSegment }
  /** Words of an utterance that goes on; they may change. Their final ones come under the same id, unless they are taken back. */
  | { readonly kind: 'provisional'; readonly segment: SpokenSegment }
  | { readonly kind: 'withdrawn'; readonly id: string }
  /** No provider serves this stream any more. Told once. */
  | { readonly kind: 'failed'; readonly failure: ProviderFailure };

/** Where the words of a stream belong. */
export type StreamOrigin = Pick<SpeechOrigin, 'conversation' | 'source' | 'device' | 'platform'>;

/** How streams deal with providers; durations in ms. */
export interface ProviderRules {
  readonly connectTimeout: number;
  /** Without a sign of life for so long after speech, a provider is dead. */
  readonly answerTimeout: number;
  /** Times that another provider may take a stream over in mid-session. */
  readonly failovers: number;
  /** Silence that is kept, because speech is announced after it has begun. */
  readonly idle: number;
  /** Longest utterance that is given out as one. */
  readonly longestRun: number;
  /** Whether words are shown before they are final. */
  readonly interimWords: boolean;
  /** Ms of audio behind a word with which it is shown without a second text that has it. */
  readonly interimSettled: number;
  /** Ms of an utterance up to which all of it is transcribed for provisional words. */
  readonly interimWhole: number;
}

/** What every transcription of a shard needs. */
export interface TranscriptionContext extends Pick<ProviderLinkContext, 'choose' | 'health'> {
  /** Takes audio that no provider took. */
  readonly retain: RetainAudio;
  readonly clock: ProviderLinkContext['clock'] & { monotonic(): number };
  readonly metrics: MetricsRow;
  readonly utteranceIds: UtteranceIds;
  readonly providerRules: ProviderRules;
}

export interface TranscriptionOptions {
  /** Whose stream it is: providers are fair between users, then between the streams of each. */
  readonly user: string;
  /** Names the stream to the provider. */
  readonly stream: string;
  readonly language: string;
  /** What the client asked for; see `selectProvider`. */
  readonly wanted: string | null;
  /** Where its words belong, as far as the stream tells. Called when an utterance is complete. */
  readonly origin: () => StreamOrigin;
  /** Whose words these are, unless the user says otherwise. */
  readonly voice: TrackVoice;
  /** Takes audio whose voices are to be told apart; absent where they are not. */
  readonly listen?: ((piece: VoicePiece) => void) | undefined;
  /** Chooses what the core hands out of this stream. */
  readonly handOut: (need: AudioNeed) => void;
  /** Has the core tell of open utterances, or not. */
  readonly watch: (on: boolean) => void;
  /** The open utterance so far. */
  readonly openUtterance: () => Utterance | undefined;
  /** Wall clock (ms) of a sample of the stream. */
  readonly wallOf: (sample: number) => number;
  readonly log: Logger;
  /** Takes every event of this stream; the only way in which one leaves it. Must not throw. */
  readonly emit: (event: TranscriptionEvent) => void;
}

import type { AudioNeed } from '../../wire/index.js';
import type { Outcome } from './outcomes.js';
import type { DeathReason } from './provider-error.js';
import type { SpokenLanguages } from './spoken-languages.js';
import type { WordTime } from './word-times.js';

export interface ProviderCapabilities {
  readonly audio: AudioNeed;
  /** Whether the provider supports a language, given by its base code in lower case. */
  readonly supports: (language: string) => boolean;
  /** Whether the provider separates speakers. */
  readonly diarizes: boolean;
  /** Whether the provider returns interim words before the final words. */
  readonly interim: boolean;
  /** Whether the provider returns a time for each word. Otherwise it returns times of sentences only. */
  readonly wordTimes: boolean;
}

/** Context of an utterance's words. It is stored with retained audio, for transcription after the stream has ended. */
export interface SpeechOrigin {
  /** Id of the conversation in progress at the end of the speech; null if there was none. */
  readonly conversation: string | null;
  readonly source: string;
  readonly device: string | null;
  readonly platform: string | null;
  /** Speaker of the words, as in a segment. */
  readonly speaker: string;
  readonly speakerId: number;
  readonly isUser: boolean;
  readonly personId: string | null;
  /** Wall clock (ms since the epoch) at the start of the speech. */
  readonly from: number;
  /** Wall clock (ms since the epoch) at the end of the speech. */
  readonly to: number;
}

/** An utterance that is sent to a provider. */
export interface UtteranceRequest {
  /** Id of the request, unique in this process. The result has the same id. */
  readonly id: number;
  /**
   * Id of the user, an opaque string. Users take turns, and so do the streams of each user. The id is never logged
   * together with text.
   */
  readonly user: string;
  readonly stream: string;
  /** Mono samples at 16 kHz. The provider owns them from now on. */
  readonly pcm: Int16Array;
  /** Start and end in seconds on the stream's clock. */
  readonly start: number;
  readonly end: number;
  /** Code of the language in which the words are decoded, or `multi` for a provider that detects it. */
  readonly language: string;
  /**
   * Languages that the speaker may use, as base codes. If there are several, a model that can tell them apart
   * decodes the audio, and the result carries their probabilities.
   */
  readonly languages?: readonly string[];
  /**
   * Words that the speaker may use, such as names and terms, in the speaker's spelling. They help to spell words that
   * sound like them. They are private, so they are never logged.
   */
  readonly keywords?: readonly string[];
  /**
   * Mean probability of speech that the detector found in the utterance. Absent if unknown. If this probability is low,
   * the decoder of a local model drops a text about which the model is unsure.
   */
  readonly detected?: number;
  /** True if the utterance is still open. Its words are then interim, and its audio is not retained after a failure. */
  readonly interim?: true;
  /** True if the words of this interim request become final when no speech follows. */
  readonly settles?: true;
  /**
   * True if the device uses positions, and so sends this audio again unless the audio is transcribed or retained. In a
   * fleet, such audio is retained only where it survives the loss of the machine.
   */
  readonly resends?: true;
  /**
   * Id of an earlier interim request for the same speech, whose words may be used instead. See
   * `TranscriptionRequest`.
   */
  readonly instead?: number;
  /** Origin of the words; absent if they do not belong to a conversation. */
  readonly origin?: SpeechOrigin;
}

export interface UtteranceResult extends SpokenLanguages {
  readonly id: number;
  readonly outcome: Outcome;
  /** Normalised text; empty unless the outcome is `success`. */
  readonly text: string;
  /** The words of the text with times, in ms from the first sample; absent if unknown. */
  readonly words?: readonly WordTime[];
  /** Whether the text repeated itself and its repetitions were removed. */
  readonly looped?: true;
  readonly provider: string;
  /** Name of the local model that decoded the audio; absent if no local model did. */
  readonly model?: string;
  /** Time in ms that the utterance waited. */
  readonly waited: number;
  /** Time in ms that the decoding of the utterance took. */
  readonly decoded: number;
  /** Key in the store of retained audio. Present if the audio was retained instead of transcribed. */
  readonly retained?: string;
}

/** Words of a stream. `start` and `end` are in seconds of the audio that was sent over this connection. */
export interface ProviderWords {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Number of the speaker within this connection, from 0; absent if the provider does not separate speakers. */
  readonly speaker?: number;
}

/** An event of a stream's connection to a provider. */
export type ProviderEvent =
  /** Words that may still change. */
  | ({ readonly kind: 'interim' } & ProviderWords)
  /** Words that no longer change. */
  | ({ readonly kind: 'final' } & ProviderWords)
  /** Reports a change of `UtteranceStream.longSilence`. */
  | { readonly kind: 'silence'; readonly long: boolean }
  /** Reports that an unreadable message of the provider was skipped. */
  | { readonly kind: 'malformed' }
  /** Reports that the connection is unusable. It is the last event. */
  | { readonly kind: 'death'; readonly reason: DeathReason };

/** A connection to a provider that transcribes finished utterances. */
export interface UtteranceStream {
  /** Transcribes one utterance. Promises resolve in any order and never reject. */
  transcribe(request: UtteranceRequest): Promise<UtteranceResult>;
  /**
   * Whether the words become better at present if utterances end only after the long silence (`VAD_LONG_SILENCE`). The event
   * `silence` reports changes. Absent: never.
   */
  readonly longSilence?: boolean;
  /** Ends the audio. Resolves when all results have arrived or `timeout` ms have passed. */
  finish(timeout: number): Promise<void>;
}

/** A connection to a provider that takes audio: all of it, or only speech with some audio around it. */
export interface AudioStream {
  /**
   * Sends the next audio, mono, 16 kHz. The provider may keep the samples, so the caller must not change them.
   * @returns false if the bounded send queue has no space. The audio was then not sent.
   */
  send(pcm: Int16Array): boolean;
  /**
   * Ends the audio. All final words are emitted before the promise resolves.
   * @returns whether the provider confirmed the end. False if it did not confirm within `timeout` ms, or if the
   * connection is closed.
   */
  finish(timeout: number): Promise<boolean>;
  /** Closes the connection at once. No event follows. Further calls do nothing. */
  close(): void;
}

export type ProviderStream = UtteranceStream | AudioStream;

/** Parameters of a stream's connection. */
export interface StreamRequest {
  readonly id: string;
  readonly user: string;
  readonly language: string;
  /** Aborted when the caller no longer needs the connection. */
  readonly signal: AbortSignal;
  /** Called with every event of the stream, from the call of `connect` on. Does not throw. */
  readonly emit: (event: ProviderEvent) => void;
}

/** A speech recognition service. Each stream has its own connection. */
export interface Provider {
  /** One of `providerNames`, or `discard`. */
  readonly name: string;
  readonly capabilities: ProviderCapabilities;
  /**
   * Makes one attempt to connect; the caller sets a timeout with `signal`. The result is an `UtteranceStream` if
   * `capabilities.audio` is `utterances`, otherwise an `AudioStream`.
   * @throws ProviderError, or CochleaError when the provider's configuration is unusable.
   */
  connect(stream: StreamRequest): Promise<ProviderStream>;
}

/** A provider that transcribes utterances. */
export interface UtteranceProvider extends Provider {
  connect(stream: StreamRequest): Promise<UtteranceStream>;
}

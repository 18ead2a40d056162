import type { AudioNeed } from '../../wire/index.js';
import type { Outcome } from './outcomes.js';
import type { DeathReason } from './provider-error.js';
import type { WordTime } from './word-times.js';

export interface ProviderCapabilities {
  readonly audio: AudioNeed;
  /** Whether a language code (lower case, base part) is supported. */
  readonly supports: (language: string) => boolean;
  /** Whether it separates speakers. */
  readonly diarizes: boolean;
  /** Whether it returns interim words before the final ones. */
  readonly interim: boolean;
  /** Whether it returns a time for each word rather than for each sentence only. */
  readonly wordTimes: boolean;
}

/** Context of an utterance's words, for transcription after its stream has ended. */
export interface SpeechOrigin {
  /** The conversation in progress at the end of the speech; null when there was none. */
  readonly conversation: string | null;
  readonly source: string;
  readonly device: string | null;
  readonly platform: string | null;
  /** Speaker of the words, as in a segment. */
  readonly speaker: string;
  readonly speakerId: number;
  readonly isUser: boolean;
  readonly personId: string | null;
  /** Wall clock (ms since the epoch) of the speech's start; `to` is its end. */
  readonly from: number;
  readonly to: number;
}

/** An utterance on its way to a provider. */
export interface UtteranceRequest {
  /** Unique in this process; the result has the same id. */
  readonly id: number;
  /** The user: users take turns, and so do the streams of each user. Opaque; never logged with text. */
  readonly user: string;
  readonly stream: string;
  /** Samples, mono 16 kHz. Ownership passes to the provider. */
  readonly pcm: Int16Array;
  /** Start and end in seconds on the stream's clock. */
  readonly start: number;
  readonly end: number;
  readonly language: string;
  /** Whether the utterance is still open. Its words are then interim, and its audio is not retained on failure. */
  readonly interim?: true;
  /** Id of an interim request with the same speech; its words may be used instead. See `TranscriptionRequest`. */
  readonly instead?: number;
  /** Absent when the words do not belong to a conversation. */
  readonly origin?: SpeechOrigin;
}

export interface UtteranceResult {
  readonly id: number;
  readonly outcome: Outcome;
  /** Normalised text; empty unless the outcome is `success`. */
  readonly text: string;
  /** The words of the text with times, in ms from the first sample; absent when unknown. */
  readonly words?: readonly WordTime[];
  /** Whether the text repeated itself and its repetitions were removed. */
  readonly looped?: true;
  readonly provider: string;
  /** Ms that the utterance waited; `decoded` is the ms that decoding took. */
  readonly waited: number;
  readonly decoded: number;
  /** Key in the store of retained audio; present when the audio was retained instead of transcribed. */
  readonly retained?: string;
}

/** Words of a stream. Times are seconds of the audio sent on this connection. */
export interface ProviderWords {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** 0-based number of the speaker within this connection; absent when the provider does not separate speakers. */
  readonly speaker?: number;
}

/** An event that a provider sends for a stream. */
export type ProviderEvent =
  /** Words that may still change. */
  | ({ readonly kind: 'interim' } & ProviderWords)
  /** Words that no longer change. */
  | ({ readonly kind: 'final' } & ProviderWords)
  /** An unreadable message of the provider was skipped. */
  | { readonly kind: 'malformed' }
  /** The connection is unusable. The last event. */
  | { readonly kind: 'death'; readonly reason: DeathReason };

/** A connection to a provider that transcribes finished utterances. */
export interface UtteranceStream {
  /** Transcribes one utterance. Promises resolve in any order and never reject. */
  transcribe(request: UtteranceRequest): Promise<UtteranceResult>;
  /** Ends the audio. Resolves when every result has arrived or `timeout` ms have passed. */
  finish(timeout: number): Promise<void>;
}

/** A connection to a provider that gets audio: all of it, or only speech with its surroundings. */
export interface AudioStream {
  /**
   * Sends the next audio, mono 16 kHz. The provider may keep the samples, so the caller must not change them.
   * @returns false when the bounded send queue has no space; nothing was sent then.
   */
  send(pcm: Int16Array): boolean;
  /**
   * Ends the audio. All final words are emitted before this resolves.
   * @returns whether the provider confirmed the end; false when it did not within `timeout` ms, or is gone.
   */
  finish(timeout: number): Promise<boolean>;
  /** Closes the connection at once. No event follows. May be called again. */
  close(): void;
}

export type ProviderStream = UtteranceStream | AudioStream;

/** Parameters of a stream's connection. */
export interface StreamRequest {
  readonly id: string;
  readonly user: string;
  readonly language: string;
  /** Aborts when the caller no longer needs the connection. */
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
   * Makes one attempt to connect, without a timeout of its own. With `audio: 'utterances'` the result is an
   * `UtteranceStream`, else an `AudioStream`.
   * @throws ProviderError, or CochleaError when the provider's configuration is unusable.
   */
  connect(stream: StreamRequest): Promise<ProviderStream>;
}

/** A provider that transcribes utterances. */
export interface UtteranceProvider extends Provider {
  connect(stream: StreamRequest): Promise<UtteranceStream>;
}

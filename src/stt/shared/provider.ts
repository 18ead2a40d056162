import type { AudioNeed } from '../../wire/index.js';
import type { Outcome } from './outcomes.js';
import type { DeathReason } from './provider-error.js';
import type { WordTime } from './word-times.js';

export interface ProviderCapabilities {
  readonly audio: AudioNeed;
  /** Whether a language code (lower case, base part) is supported. */
  readonly supports: (language: string) => boolean;
  /** Whether it tells speakers apart. */
  readonly diarizes: boolean;
  /** Whether it tells words that may still change, before the final ones. */
  readonly interim: boolean;
  /** Whether it tells when each word was spoken, and not only when a sentence was. */
  readonly wordTimes: boolean;
}

/** Where the words of an utterance belong, for one that is transcribed after its stream has ended. */
export interface SpeechOrigin {
  /** The conversation that was going on when the speech had ended; null when there was none. */
  readonly conversation: string | null;
  readonly source: string;
  readonly device: string | null;
  readonly platform: string | null;
  /** Whose words these are, as a segment has it. */
  readonly speaker: string;
  readonly speakerId: number;
  readonly isUser: boolean;
  readonly personId: string | null;
  /** Wall clock (ms since the epoch) at which the speech began and ended. */
  readonly from: number;
  readonly to: number;
}

/** An utterance on its way to a provider. */
export interface UtteranceRequest {
  /** Unique in this process; the answer carries it. */
  readonly id: number;
  /** Its user: users take turns, and so do the streams of each user. Opaque; never logged with text. */
  readonly user: string;
  readonly stream: string;
  /** Mono 16 kHz. Ownership passes to the provider. */
  readonly pcm: Int16Array;
  /** Seconds on the stream's clock. */
  readonly start: number;
  readonly end: number;
  readonly language: string;
  /** The utterance goes on: its words are provisional, and nothing is kept when there are none. */
  readonly interim?: true;
  /** Id of a provisional request with the same speech, whose words are as good; see `TranscriptionRequest`. */
  readonly instead?: number;
  /** Absent where words are not for a conversation. */
  readonly origin?: SpeechOrigin;
}

export interface UtteranceResult {
  readonly id: number;
  readonly outcome: Outcome;
  /** Normalised text; empty unless the outcome is `success`. */
  readonly text: string;
  /** The words of the text with their times, in ms from the first sample; absent when they are not known. */
  readonly words?: readonly WordTime[];
  /** The text repeated itself, and had its copies taken out. */
  readonly looped?: true;
  readonly provider: string;
  /** Ms that the utterance waited, and ms that decoding took. */
  readonly waited: number;
  readonly decoded: number;
  /** Key of the audio in the store of retained audio; present when it was written there instead of being transcribed. */
  readonly retained?: string;
}

/** Words of a stream; times in seconds of the audio that this connection was sent. */
export interface ProviderWords {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** 0-based number of the speaker within this connection, where the provider tells speakers apart. */
  readonly speaker?: number;
}

/** What a provider tells about a stream without being asked. */
export type ProviderEvent =
  /** Words that may still change. */
  | ({ readonly kind: 'interim' } & ProviderWords)
  /** Words that do not change any more. */
  | ({ readonly kind: 'final' } & ProviderWords)
  /** A message of the provider could not be read and was skipped. */
  | { readonly kind: 'malformed' }
  /** The connection is of no use any more. The last event. */
  | { readonly kind: 'death'; readonly reason: DeathReason };

/** A connection to a provider that takes finished utterances. */
export interface UtteranceStream {
  /** Hands over one utterance. Resolves with its result, in any order; never rejects. */
  transcribe(request: UtteranceRequest): Promise<UtteranceResult>;
  /** Tells that no more audio follows. Resolves when every result has arrived or `timeout` ms have passed. */
  finish(timeout: number): Promise<void>;
}

/** A connection to a provider that takes audio: all of it, or what is around speech. */
export interface AudioStream {
  /**
   * Hands over the next audio, mono 16 kHz. The provider may keep the samples; the caller does not change them any more.
   * @returns false when there is no space in the bounded queue of what is not sent yet: then nothing of it was taken.
   */
  send(pcm: Int16Array): boolean;
  /**
   * Tells that no more audio follows. Every final that was on its way has been told before this resolves.
   * @returns whether the provider said that it is done; false when it did not within `timeout` ms, or is gone.
   */
  finish(timeout: number): Promise<boolean>;
  /** Gives the connection up at once. No event follows. Harmless when that was done. */
  close(): void;
}

export type ProviderStream = UtteranceStream | AudioStream;

/** What a provider is told about a stream. */
export interface StreamRequest {
  readonly id: string;
  readonly user: string;
  readonly language: string;
  /** Aborted when the caller does not want the connection any more. */
  readonly signal: AbortSignal;
  /** Takes every event of the stream, from the call of `connect` on. Does not throw. */
  readonly emit: (event: ProviderEvent) => void;
}

/** A service that makes words of speech. Streams connect to it one by one. */
export interface Provider {
  /** One of `providerNames`, or `discard`. */
  readonly name: string;
  readonly capabilities: ProviderCapabilities;
  /**
   * One attempt, without a time-out of its own. With `audio: 'utterances'` the result is an `UtteranceStream`, else an
   * `AudioStream`.
   * @throws ProviderError, or CochleaError when the provider cannot be used as it is configured.
   */
  connect(stream: StreamRequest): Promise<ProviderStream>;
}

/** A provider that takes utterances. */
export interface UtteranceProvider extends Provider {
  connect(stream: StreamRequest): Promise<UtteranceStream>;
}

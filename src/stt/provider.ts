/** The shared outcome vocabulary of the contract. */
export type Outcome =
  | 'success'
  | 'expected_silence'
  | 'empty_unexpected'
  | 'timeout'
  | 'upstream_error'
  | 'config_error'
  | 'invalid_input';

/** What a provider wants to be given. */
export type AudioNeed = 'utterances' | 'gated' | 'everything';

export interface ProviderCapabilities {
  readonly audio: AudioNeed;
  /** Whether a language code (lower case, base part) is served. */
  readonly supports: (language: string) => boolean;
  readonly diarizes: boolean;
}

/** An utterance on its way to a provider. */
export interface UtteranceRequest {
  /** Unique in this process; the answer carries it. */
  readonly id: number;
  /** Whose it is: turns go round the users first, then round the streams of each. Opaque; never logged with text. */
  readonly user: string;
  readonly stream: string;
  /** Mono 16 kHz. Ownership passes to the provider. */
  readonly pcm: Int16Array;
  /** Seconds on the stream's clock. */
  readonly start: number;
  readonly end: number;
  readonly language: string;
}

export interface UtteranceResult {
  readonly id: number;
  readonly outcome: Outcome;
  /** Normalised text; empty unless the outcome is `success`. */
  readonly text: string;
  readonly provider: string;
  /** Ms spent waiting in the queue and decoding. */
  readonly waited: number;
  readonly decoded: number;
  /** Set when the audio was written to the audio store because it could not be transcribed: its key there. */
  readonly retained?: string;
}

/** A stream's connection to a provider. */
export interface ProviderStream {
  /** Hands over one utterance (`audio: 'utterances'`). Resolves with its result, in any order; never rejects. */
  transcribe(request: UtteranceRequest): Promise<UtteranceResult>;
  /** No more audio follows; resolves when every result is in or `timeout` ms have passed. */
  finish(timeout: number): Promise<void>;
}

export interface Provider {
  readonly name: string;
  readonly capabilities: ProviderCapabilities;
  /** @throws CochleaError when the provider cannot serve now (bounded retries are the caller's). */
  connect(stream: { readonly id: string; readonly language: string }): Promise<ProviderStream>;
}

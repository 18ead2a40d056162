/** The outcomes of a transcription, as the contract defines them. */
export type Outcome =
  | 'success'
  | 'expected_silence'
  | 'empty_unexpected'
  | 'timeout'
  | 'upstream_error'
  | 'config_error'
  | 'invalid_input';

/** Which audio a provider needs: finished utterances, the audio of the gate, or all audio. */
export type AudioNeed = 'utterances' | 'gated' | 'everything';

export interface ProviderCapabilities {
  readonly audio: AudioNeed;
  /** Whether a language code (lower case, base part) is supported. */
  readonly supports: (language: string) => boolean;
  readonly diarizes: boolean;
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
}

export interface UtteranceResult {
  readonly id: number;
  readonly outcome: Outcome;
  /** Normalised text; empty unless the outcome is `success`. */
  readonly text: string;
  readonly provider: string;
  /** Ms that the utterance waited, and ms that decoding took. */
  readonly waited: number;
  readonly decoded: number;
  /** Key of the audio in the store of retained audio; present when it was written there instead of being transcribed. */
  readonly retained?: string;
}

/** A stream's connection to a provider. */
export interface ProviderStream {
  /** Hands over one utterance (`audio: 'utterances'`). Resolves with its result, in any order; never rejects. */
  transcribe(request: UtteranceRequest): Promise<UtteranceResult>;
  /** Tells that no more audio follows. Resolves when every result has arrived or `timeout` ms have passed. */
  finish(timeout: number): Promise<void>;
}

export interface Provider {
  readonly name: string;
  readonly capabilities: ProviderCapabilities;
  /** @throws CochleaError when the provider cannot be used now; the caller makes a bounded number of retries. */
  connect(stream: { readonly id: string; readonly language: string }): Promise<ProviderStream>;
}

import type { Outcome } from './outcomes.js';
import type { UtteranceResult } from './provider.js';

/**
 * Classes of work for the local transcription service, most urgent first. `live`: utterances of open streams.
 * `voice`: voice messages for which a client waits. `retained`: retained audio. `interim`: interim words of open
 * utterances.
 */
export const transcriptionPriorities = ['live', 'voice', 'retained', 'interim'] as const;
export type TranscriptionPriority = (typeof transcriptionPriorities)[number];

export interface TranscriptionRequest {
  /**
   * Id of the user, an opaque string. Within a class, users take turns, and so do the streams of each user. The id is
   * never logged together with text.
   */
  readonly user: string;
  readonly stream: string;
  /** Code of the spoken language. `multi`: the service detects one of `languages`, or of all its languages. */
  readonly language: string;
  /** Languages that the speaker may use, as base codes: see `UtteranceRequest`. The first is the most probable one. */
  readonly languages?: readonly string[];
  /** Words that the speaker may use: see `UtteranceRequest`. */
  readonly keywords?: readonly string[];
  /** Mean probability of speech that the detector found: see `UtteranceRequest`. */
  readonly detected?: number;
  /** Mono samples at 16 kHz. The service only reads them. The caller must not change them before the answer. */
  readonly pcm: Int16Array;
  readonly priority: TranscriptionPriority;
  /** Whether the words of an interim request become final when no speech follows. */
  readonly settles?: boolean;
  /**
   * Number of this request, which a later request can name in `instead`. Unique among the client's outstanding
   * requests.
   */
  readonly name?: number;
  /**
   * Name of an earlier request for the same speech. If the earlier request is decoding, both requests share its result.
   * If the earlier request is still queued, it is cancelled as `superseded`. A new interim request of a stream always
   * replaces the queued one.
   */
  readonly instead?: number;
  /** Cancels the request. It then leaves the queue and is answered with `upstream_error` at once. */
  readonly signal?: AbortSignal;
}

export interface TranscriptionResult extends Omit<UtteranceResult, 'id' | 'retained'> {
  /**
   * Present if the audio was not tried, because a queue limit refused it or no service answered. The caller then keeps
   * the audio. The result does not count as an attempt.
   */
  readonly rejected?: 'full' | 'away';
  /**
   * Reason why the audio was not transcribed, in one word, as in the records of retained audio. Absent if it was
   * transcribed.
   */
  readonly reason?: string;
}

/** Makes a result without words, whose waiting and decoding times are 0. `more` replaces or adds fields. */
export const resultOf = (
  outcome: Outcome,
  provider: string,
  more: Partial<TranscriptionResult> = {},
): TranscriptionResult => ({ outcome, text: '', provider, waited: 0, decoded: 0, ...more });

/** A process's connection to the local transcription service of its machine. */
export interface TranscriptionClient {
  /**
   * Transcribes audio of any length. The client stores the request until it is answered. If the service ends before
   * that, the client sends the request again. Never rejects.
   */
  transcribe(request: TranscriptionRequest): Promise<TranscriptionResult>;
  /** Answers all outstanding requests with `upstream_error` and closes the connection. */
  close(): Promise<void>;
}

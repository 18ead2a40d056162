import type { Outcome } from './outcomes.js';
import type { UtteranceResult } from './provider.js';

/**
 * Classes of work for the local transcription service, most urgent first. `live`: utterances of open streams. `voice`:
 * voice messages that a client waits for. `retained`: retained audio. `interim`: interim words of open utterances.
 */
export const transcriptionPriorities = ['live', 'voice', 'retained', 'interim'] as const;
export type TranscriptionPriority = (typeof transcriptionPriorities)[number];

export interface TranscriptionRequest {
  /** Users take turns within a class, and so do the streams of each user. Opaque; never logged with text. */
  readonly user: string;
  readonly stream: string;
  /** Code of the spoken language, or `multi`. */
  readonly language: string;
  /** Mono 16 kHz. Only read, and kept until the answer; the caller must not change it before. */
  readonly pcm: Int16Array;
  readonly priority: TranscriptionPriority;
  /** Number by which another request can refer to this one in `instead`. Unique among the client's outstanding requests. */
  readonly name?: number;
  /**
   * Name of an earlier request for the same speech. If it is decoding, both share its result. If it is queued, it is
   * cancelled as `superseded`. A new interim request of a stream always replaces the queued one.
   */
  readonly instead?: number;
  /** Cancels the request: it leaves the queue, and is answered as `upstream_error` at once. */
  readonly signal?: AbortSignal;
}

export interface TranscriptionResult extends Omit<UtteranceResult, 'id' | 'retained'> {
  /** Present when a queue limit refused the request. The caller then keeps the audio. */
  readonly rejected?: 'full';
  /** Why it was not transcribed, in one word, as in the records of retained audio. Absent when it was transcribed. */
  readonly reason?: string;
}

/** Makes a result without words, which took no time. `more` replaces or adds fields. */
export const resultOf = (
  outcome: Outcome,
  provider: string,
  more: Partial<TranscriptionResult> = {},
): TranscriptionResult => ({ outcome, text: '', provider, waited: 0, decoded: 0, ...more });

/** A process's connection to the local transcription service of its machine. */
export interface TranscriptionClient {
  /**
   * Transcribes audio of any length. The request is kept until it is answered. If the service ends before, the request
   * is sent again. Never rejects.
   */
  transcribe(request: TranscriptionRequest): Promise<TranscriptionResult>;
  /** Answers all outstanding requests as `upstream_error` and closes the connection. */
  close(): Promise<void>;
}

import type { UtteranceResult } from './provider.js';

/**
 * Classes of work for the local transcription service, most urgent first: the utterances of open streams, voice messages that a
 * client waits for, retained audio, and provisional words of an utterance that has not ended.
 */
export const transcriptionPriorities = ['live', 'voice', 'retained', 'interim'] as const;
export type TranscriptionPriority = (typeof transcriptionPriorities)[number];

export interface TranscriptionRequest {
  /** Users take turns within a class, and so do the streams of each user. Opaque; never logged with text. */
  readonly user: string;
  readonly stream: string;
  /** Code of the language that is spoken, or `multi`. */
  readonly language: string;
  /** Mono 16 kHz. Only read, and kept until the answer has come; the caller must not change it before. */
  readonly pcm: Int16Array;
  readonly priority: TranscriptionPriority;
  /** Names the request for another one that takes its place; unique among what this client has outstanding. */
  readonly name?: number;
  /**
   * Name of another request, of the same speech: where that is being decoded its words are the answer to both, where it waits it is given
   * up as `superseded`. A provisional request of a stream takes the place of a provisional one of that stream anyway.
   */
  readonly instead?: number;
  /** Gives the request up: it leaves the queue, and is answered as `upstream_error` at once. */
  readonly signal?: AbortSignal;
}

export interface TranscriptionResult extends Omit<UtteranceResult, 'id' | 'retained'> {
  /** Present when the request is over a bound of the queue and was not taken: the caller keeps the audio. */
  readonly rejected?: 'full';
  /** Why it was not transcribed, in one word, as descriptions of retained audio have it; absent when it was. */
  readonly reason?: string;
}

/** A process's connection to the local transcription service of its machine. */
export interface TranscriptionClient {
  /**
   * Has audio of any length transcribed. The request is kept until it is answered, and sent again when the service ends before.
   * Never rejects.
   */
  transcribe(request: TranscriptionRequest): Promise<TranscriptionResult>;
  /** Answers what is outstanding as `upstream_error` and closes the connection. */
  close(): Promise<void>;
}

import type { MessagePort } from 'node:worker_threads';

/** Messages and types about streams that the front, the shards and the audio core exchange. */

export type Codec = 'pcm8' | 'pcm16' | 'opus' | 'opus_fs320' | 'aac' | 'lc3' | 'lc3_fs1030';

/** All codecs that clients may declare. Each audio core reports which of these codecs it can decode. */
export const codecs: readonly Codec[] = ['pcm8', 'pcm16', 'opus', 'opus_fs320', 'aac', 'lc3', 'lc3_fs1030'];

/**
 * Audio that a provider needs: `utterances` are finished utterances, `gated` is audio around speech, `everything` is
 * all audio.
 */
export type AudioNeed = 'utterances' | 'gated' | 'everything';

export interface StreamFormat {
  readonly codec: Codec;
  /** Sample rate in Hz, as declared by the client. */
  readonly sampleRate: number;
  /**
   * Number of channels. 2 means interleaved PCM or encoded stereo, which is mixed down. A call with two sides counts as
   * 1, because the engine separates its tagged frames itself.
   */
  readonly channels: 1 | 2;
}

/**
 * Positions on a device's recording timeline (its clock): ms of audio since the first sample that it recorded under an
 * id of its choice.
 */
export interface AudioPosition {
  /** The id of the clock. */
  readonly clock: string;
  /**
   * Position in ms of each track. All audio of the track before this position is silence, or is stored as words or as
   * retained audio. No stored word lies at or after the position.
   */
  readonly confirmed: readonly number[];
  /**
   * Wall clock (ms) of position 0, if the device had recorded without a pause until the confirmed position; absent if
   * it is not known. The next stream continues the times of the words from it.
   */
  readonly began?: number | undefined;
  /** Origin of the newest words; absent if it is not known, or if the words are of several recordings. */
  readonly newest?: NewestWords | undefined;
}

/** Origin of the newest words at the time of a change. These words may have been stored with an earlier change. */
export interface NewestWords {
  /**
   * Number of the stream of these words. The streams of a device's clock are numbered from 1, in the order of their
   * opening.
   */
  readonly stream: number;
  /** For each track, the position in ms after which the audio of these words lies. */
  readonly since: readonly number[];
  /**
   * For each track, the position in ms that the previous write stored. The audio from this position to `since` is
   * silence.
   */
  readonly after: readonly number[];
}

/**
 * Payload of an `open` record: all values that a shard needs to begin a session. The front has authenticated and
 * admitted the stream.
 */
export interface OpenRequest {
  /** Id that is unique in the process. It names the stream in logs and in the transcriber's queue. */
  readonly stream: string;
  /**
   * Number of earlier uses of the slot. Every message about this session contains the number, so that no message
   * reaches a later session of this slot.
   */
  readonly generation: number;
  readonly uid: string;
  readonly language: string;
  readonly format: StreamFormat;
  /** Seconds of silence that end a conversation, already clamped to 2..14400. */
  readonly conversationTimeout: number;
  readonly source: string;
  /** Conversation id proposed by the client, a UUID in lower case; null or absent: none. */
  readonly proposedConversation?: string | null;
  /** Id of the device's recording clock; null or absent: none. */
  readonly streamClock?: string | null;
  /** Whether the client wants to know which audio is stored; absent: no. */
  readonly confirms?: boolean;
  /** Position in ms on the clock that was confirmed to the device; absent: 0. */
  readonly clockAt?: number;
  /** Whether the client wants to know when someone begins and ends to speak; absent: no. */
  readonly activity?: boolean;
  /** Custom words of the stream, as `readKeywords` returns them; absent: none. Private, so never logged. */
  readonly keywords?: readonly string[];
  readonly customStt: boolean;
  readonly includeSpeechProfile: boolean;
  /** Whether segments get the recognised person; absent: the person is only suggested. */
  readonly assignSpeakers?: boolean;
  readonly sttService: string | null;
  /** Whether each side of a stereo stream is transcribed separately; absent: both sides are mixed. */
  readonly separateSides?: boolean;
  readonly deviceId: string | null;
  readonly clientPlatform: string | null;
  /** Wall clock time when the stream was accepted, in ms since the epoch. */
  readonly acceptedAt: number;
}

/** Payload of a `close` record. */
export interface CloseNotice {
  readonly code: number;
  /** Present if the close frame of the client says that the recording has ended. */
  readonly stops?: true;
}

/** A message from a shard to the front, over its MessagePort; batched as an array. */
export type ShardMessage =
  /** Text for a socket. Texts are sent in order. Texts for one socket are sent in one write. */
  | { readonly kind: 'send'; readonly slot: number; readonly generation: number; readonly text: string }
  /** Closes a socket after all earlier messages were sent. The slot stays in use until `released`. */
  | {
      readonly kind: 'close';
      readonly slot: number;
      readonly generation: number;
      readonly code: number;
      readonly reason: string;
      /** Whether the client broke a rule. The close then counts against the user's limit for opening streams. */
      readonly violation: boolean;
    }
  /** The shard no longer uses the slot. Another stream may get it. */
  | { readonly kind: 'released'; readonly slot: number; readonly generation: number }
  /** All sessions are finished and the journal is flushed. */
  | { readonly kind: 'drained' };

/** A shard from the front's point of view: a thread with its ring and port. The engine pool passes it to the front. */
export interface ShardLink {
  /** Ring of records that the front writes and the shard reads. */
  readonly ring: SharedArrayBuffer;
  /** Port that carries arrays of `ShardMessage` to the front. The front closes the port after the shard's last message. */
  readonly port: MessagePort;
  /**
   * Resolves when the shard is lost: its thread ended unexpectedly, or was replaced because it hung. By then the
   * shard's spill is ready for replay, so that no stream continues a conversation without its earlier words.
   */
  readonly dead: Promise<void>;
  /** Ends a hanging shard; `dead` resolves soon after. Does nothing if the shard is already lost. */
  giveUp(why: string): void;
}

import type { MessagePort } from 'node:worker_threads';

/** Messages and types about streams that the front, the shards and the audio core exchange. */

export type Codec = 'pcm8' | 'pcm16' | 'opus' | 'opus_fs320' | 'aac' | 'lc3' | 'lc3_fs1030';

/** All codecs that clients may declare. Each audio core reports which of these codecs it can decode. */
export const codecs: readonly Codec[] = ['pcm8', 'pcm16', 'opus', 'opus_fs320', 'aac', 'lc3', 'lc3_fs1030'];

/**
 * Audio that a provider needs. `utterances`: finished utterances. `gated`: audio around speech. `everything`: all
 * audio.
 */
export type AudioNeed = 'utterances' | 'gated' | 'everything';

export interface StreamFormat {
  readonly codec: Codec;
  /** Sample rate in Hz, as declared by the client. */
  readonly sampleRate: number;
  /**
   * Number of channels. 2 means interleaved PCM or encoded stereo, which is mixed down. A call with two sides has the
   * value 1, because each of its frames contains audio of one side and the number of this side.
   */
  readonly channels: 1 | 2;
}

/**
 * Positions in a recording of a device. A position is the number of ms of audio since the first sample of the
 * recording. The device chooses an id for the recording, its "clock".
 */
export interface AudioPosition {
  /** The id of the clock. */
  readonly clock: string;
  /**
   * Position in ms for each track. All audio of the track before this position is silence, or is stored as words or as
   * retained audio. No stored words come from audio at or after this position.
   */
  readonly confirmed: readonly number[];
  /**
   * Wall clock (ms) of position 0, if the device had recorded without a pause until the confirmed position; absent if
   * unknown. The next stream computes the times of its words from this time.
   */
  readonly began?: number | undefined;
  /** Origin of the newest words; absent if unknown, or if the words come from several recordings. */
  readonly newest?: NewestWords | undefined;
}

/**
 * Origin of the newest words of a conversation at the time of a change. An earlier change may already have stored these
 * words.
 */
export interface NewestWords {
  /**
   * Number of the stream of these words. The streams of a device's clock are numbered from 1, in the order of their
   * opening.
   */
  readonly stream: number;
  /** For each track, the position in ms at which the audio of these words begins, or an earlier position. */
  readonly since: readonly number[];
  /**
   * For each track, the position in ms that the write before these words stored. The audio from this position to
   * `since` is silence.
   */
  readonly after: readonly number[];
}

/**
 * Payload of an `open` record: all values that a shard needs to begin a session. The front has authenticated and
 * admitted the stream.
 */
export interface OpenRequest {
  /** Id of the stream, unique in the process. Logs and the transcriber's queue contain this id. */
  readonly stream: string;
  /**
   * Number of earlier sessions in the same slot. Every message about this session contains the number, so that no
   * message of it reaches a later session in the slot.
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
  /** Whether the client gets messages about which audio is stored; absent: no. */
  readonly confirms?: boolean;
  /** Position in the recording, in ms, that an earlier stream has confirmed to the device; absent: 0. */
  readonly clockAt?: number;
  /** Whether the client gets messages when speech begins and ends; absent: no. */
  readonly activity?: boolean;
  /**
   * Custom words of the stream, as `readKeywords` returns them; absent: none. They are private, so they are never
   * logged.
   */
  readonly keywords?: readonly string[];
  readonly customStt: boolean;
  readonly includeSpeechProfile: boolean;
  /** Whether a recognised person is assigned to segments; absent: the person is only suggested. */
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

/** A message from a shard to the front. The shard sends arrays of messages over its MessagePort. */
export type ShardMessage =
  /**
   * Text for a socket. Texts are sent in their order. Texts for the same socket in one array are sent with one write.
   */
  | { readonly kind: 'send'; readonly slot: number; readonly generation: number; readonly text: string }
  /** Closes a socket after all earlier messages were sent. The slot stays in use until the message `released`. */
  | {
      readonly kind: 'close';
      readonly slot: number;
      readonly generation: number;
      readonly code: number;
      readonly reason: string;
      /** Whether the client broke a rule. If so, the close counts against the user's limit for opening streams. */
      readonly violation: boolean;
    }
  /** The shard no longer uses the slot. Another stream may get it. */
  | { readonly kind: 'released'; readonly slot: number; readonly generation: number }
  /** All sessions are finished and the journal is flushed. */
  | { readonly kind: 'drained' };

/**
 * Connection of the front to a shard: the ring and the port of the shard's thread. The engine pool passes it to the
 * front.
 */
export interface ShardLink {
  /** Ring of records that the front writes and the shard reads. */
  readonly ring: SharedArrayBuffer;
  /** Port that carries arrays of `ShardMessage` to the front. The front closes the port after the shard's last message. */
  readonly port: MessagePort;
  /**
   * Resolves when the shard is lost: its thread ended unexpectedly, or was replaced because it hung. At this time, the
   * shard's spill is already released for replay, so that no stream continues a conversation without its earlier words.
   */
  readonly dead: Promise<void>;
  /** Ends a hanging shard; `dead` resolves soon after. Does nothing if the shard is already lost. */
  giveUp(why: string): void;
}

import type { MessagePort } from 'node:worker_threads';

/** Messages and types about streams that the front, the shards and the audio core exchange. */

export type Codec = 'pcm8' | 'pcm16' | 'opus' | 'opus_fs320' | 'aac' | 'lc3' | 'lc3_fs1030';

/** Every codec of the contract; a core tells which of them it can decode. */
export const codecs: readonly Codec[] = ['pcm8', 'pcm16', 'opus', 'opus_fs320', 'aac', 'lc3', 'lc3_fs1030'];

/** Which audio a provider takes: finished utterances, the audio around speech, or all audio. */
export type AudioNeed = 'utterances' | 'gated' | 'everything';

export interface StreamFormat {
  readonly codec: Codec;
  /** Hz, as the client declared it. */
  readonly sampleRate: number;
  /** 1, or 2 for interleaved PCM and coded stereo, which are mixed down. The engine splits the tagged frames of a call. */
  readonly channels: 1 | 2;
}

/** Payload of an `open` record: everything a shard needs to begin a session. The stream is authenticated and admitted. */
export interface OpenRequest {
  /** Unique per process; names the stream in logs and in the transcriber's queue. */
  readonly stream: string;
  /** How often the slot was used before. Every message about this session carries it, so that none reaches a later session. */
  readonly generation: number;
  readonly uid: string;
  readonly language: string;
  readonly format: StreamFormat;
  /** Seconds, already clamped to 2..14400. */
  readonly conversationTimeout: number;
  readonly source: string;
  /** The id that the client proposes for its conversation, a UUID in lower case; null or absent: none. */
  readonly proposedConversation?: string | null;
  readonly customStt: boolean;
  readonly includeSpeechProfile: boolean;
  /** Whether a known person whose voice is recognised is assigned; absent: only suggested. */
  readonly assignSpeakers?: boolean;
  readonly sttService: string | null;
  /** Whether each side of a stereo stream is transcribed by itself; absent: they are mixed. */
  readonly separateSides?: boolean;
  readonly deviceId: string | null;
  readonly clientPlatform: string | null;
  /** Wall clock of the accept, ms since the epoch. */
  readonly acceptedAt: number;
}

/** Payload of a `close` record. */
export interface CloseNotice {
  readonly code: number;
  /** The client's close frame says, as its reason, that its recording is over. */
  readonly stops?: true;
}

/** From a shard to the front, over its MessagePort; batched as an array. */
export type ShardMessage =
  /** Text to a socket. Sent in order, corked per socket. */
  | { readonly kind: 'send'; readonly slot: number; readonly generation: number; readonly text: string }
  /** Close a socket after what was sent before. The slot stays taken until `released`. */
  | {
      readonly kind: 'close';
      readonly slot: number;
      readonly generation: number;
      readonly code: number;
      readonly reason: string;
      /** The client broke a rule: it counts against the opens of its user. */
      readonly violation: boolean;
    }
  /** The shard no longer uses the slot: it may be given to another stream. */
  | { readonly kind: 'released'; readonly slot: number; readonly generation: number }
  /** Every session is finished and the journal is flushed. */
  | { readonly kind: 'drained' };

/** One shard as the front sees it: a thread that serves in a place. The engine pool hands it to the front. */
export interface ShardLink {
  /** Written by the front, read by the shard. */
  readonly ring: SharedArrayBuffer;
  /** Carries arrays of `ShardMessage` to the front, which closes it at the end. Ends when the shard has, after its last message. */
  readonly port: MessagePort;
  /**
   * Resolves when the shard is lost: it ended without having been asked to, or was given up. By then what it had
   * spilled waits to be replayed, so that no stream continues a conversation without it.
   */
  readonly dead: Promise<void>;
  /** Ends a shard that hangs; `dead` resolves soon after. Harmless when it is lost already. */
  giveUp(why: string): void;
}

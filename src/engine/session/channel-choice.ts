import type { Codec } from '../../wire/index.js';
import { trackOfTag } from '../transcription/index.js';

/** How a client sends two channels: mono frames that start with a tag for the side, or stereo frames. */
export type ChannelUse = 'tagged' | 'stereo';

/** First frames that must all look tagged before the stream counts as tagged. */
const proof = 10;

export interface HeldFrame {
  readonly frame: Uint8Array;
  /** Ring clock. */
  readonly arrival: number;
}

/** Whether a frame may be tagged. Tagged 16-bit PCM has an odd length; for other codecs only the tag counts. */
const couldBeTagged = (codec: Codec, frame: Uint8Array): boolean =>
  trackOfTag(frame[0]!) >= 0 && (codec !== 'pcm16' || frame.length % 2 === 1);

/**
 * Detects whether a call sends tagged or stereo frames: both kinds of clients request two channels in the same way. It keeps the
 * frames until that is known. Use it on the shard's thread only.
 */
export class ChannelChoice {
  readonly #held: HeldFrame[] = [];

  constructor(private readonly codec: Codec) {}

  /** The frames so far, oldest first. */
  get held(): readonly HeldFrame[] {
    return this.#held;
  }

  /**
   * Takes a frame.
   * @param frame not empty; copied before this returns.
   * @param arrival ring clock.
   * @returns `stereo` at the first frame that cannot be tagged, `tagged` after `proof` frames that can be; else null.
   */
  hold(frame: Uint8Array, arrival: number): ChannelUse | null {
    this.#held.push({ frame: frame.slice(), arrival });
    if (!couldBeTagged(this.codec, frame)) return 'stereo';
    return this.#held.length >= proof ? 'tagged' : null;
  }
}

import type { Codec } from '../../wire/index.js';
import { trackOfTag } from '../transcription/index.js';

/** How a client sends two channels: mono frames that start with a tag for the side, or stereo frames. */
export type ChannelUse = 'tagged' | 'stereo';

/** Number of frames at the start that must all look tagged before the stream counts as tagged. */
const proof = 10;

export interface HeldFrame {
  readonly frame: Uint8Array;
  /** Arrival of the frame, on the ring clock. */
  readonly arrival: number;
}

/**
 * Whether a frame may start with a tag. A tagged frame of 16-bit PCM has an odd length. For other codecs only the
 * value of the first byte counts.
 */
const couldBeTagged = (codec: Codec, frame: Uint8Array): boolean =>
  trackOfTag(frame[0]!) >= 0 && (codec !== 'pcm16' || frame.length % 2 === 1);

/**
 * Detects whether a call sends tagged or stereo frames, because both kinds of clients request two channels in the
 * same way. It stores the frames until the kind is known. Use it on the shard's thread only.
 */
export class ChannelChoice {
  readonly #held: HeldFrame[] = [];

  constructor(private readonly codec: Codec) {}

  /** The stored frames, oldest first. */
  get held(): readonly HeldFrame[] {
    return this.#held;
  }

  /**
   * Stores a frame.
   * @param frame not empty; copied before this returns.
   * @param arrival ring clock.
   * @returns `stereo` at the first frame that cannot be a tagged frame. `tagged` after `proof` frames that
   * can be tagged frames. Otherwise null.
   */
  hold(frame: Uint8Array, arrival: number): ChannelUse | null {
    this.#held.push({ frame: frame.slice(), arrival });
    if (!couldBeTagged(this.codec, frame)) return 'stereo';
    return this.#held.length >= proof ? 'tagged' : null;
  }
}

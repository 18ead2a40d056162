import type { Codec } from '../../wire/index.js';
import { trackOfTag } from '../transcription/index.js';

/** What the two channels of a call are: mono frames of either side behind a tag, or stereo. */
export type ChannelUse = 'tagged' | 'stereo';

/** Frames that have to look tagged before they count as tagged. */
const proof = 10;

export interface HeldFrame {
  readonly frame: Uint8Array;
  /** Ring clock. */
  readonly arrival: number;
}

/** Tagged PCM of 16 bits has an odd length; of the other codecs the tag itself has to do. */
const couldBeTagged = (codec: Codec, frame: Uint8Array): boolean =>
  trackOfTag(frame[0]!) >= 0 && (codec !== 'pcm16' || frame.length % 2 === 1);

/**
 * Finds out what a call sends, because clients of both kinds ask for two channels in the same words. Until that is known its frames
 * are kept here. On the shard's thread only.
 */
export class ChannelChoice {
  readonly #codec: Codec;
  readonly #held: HeldFrame[] = [];

  constructor(codec: Codec) {
    this.#codec = codec;
  }

  /** The frames that came so far, oldest first. */
  get held(): readonly HeldFrame[] {
    return this.#held;
  }

  /**
   * Takes a frame.
   * @param frame not empty; copied before this returns.
   * @param arrival ring clock.
   * @returns what the frames are, once that is known: one that cannot be tagged decides, or as many that could be as are asked for.
   */
  hold(frame: Uint8Array, arrival: number): ChannelUse | null {
    this.#held.push({ frame: frame.slice(), arrival });
    if (!couldBeTagged(this.#codec, frame)) return 'stereo';
    return this.#held.length >= proof ? 'tagged' : null;
  }
}

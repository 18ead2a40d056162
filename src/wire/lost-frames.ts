/** A number of lost frames, and their total bytes. */
export interface LostRun {
  readonly frames: number;
  readonly bytes: number;
}

/**
 * First byte of frames from the second side of a call. `src/engine/transcription/track-voices.ts` describes such calls.
 */
const secondSide = 0x02;
const wordBytes = Uint32Array.BYTES_PER_ELEMENT;

/**
 * Counts consecutive frames of one stream that were lost because the ring to the shard was full.
 *
 * Frames of a call begin with the number of a side, but only the shard knows whether the stream is a call. So frames
 * that could belong to the second side are counted separately.
 */
export class LostFrames {
  readonly #counts = [
    { frames: 0, bytes: 0 },
    { frames: 0, bytes: 0 },
  ];

  add(frame: Uint8Array): void {
    const count = this.#counts[frame[0] === secondSide ? 1 : 0]!;
    count.frames++;
    count.bytes += frame.length;
  }

  /** Payload of the `gap` record that tells the shard about the lost frames. */
  get payload(): Uint8Array {
    const payload = Buffer.alloc(2 * this.#counts.length * wordBytes);
    for (const [index, { frames, bytes }] of this.#counts.entries()) {
      payload.writeUInt32LE(frames, 2 * index * wordBytes);
      payload.writeUInt32LE(Math.min(bytes, 0xffff_ffff), (2 * index + 1) * wordBytes);
    }
    return payload;
  }
}

/**
 * Reads the payload of a `gap` record.
 * @returns two counts: the frames that could belong to the second side of a call come second, all other frames first.
 */
export const readLost = (payload: Buffer): readonly [LostRun, LostRun] => {
  const run = (index: number): LostRun => ({
    frames: payload.readUInt32LE(2 * index * wordBytes),
    bytes: payload.readUInt32LE((2 * index + 1) * wordBytes),
  });
  return [run(0), run(1)];
};

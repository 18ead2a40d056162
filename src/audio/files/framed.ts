const lengthBytes = 4;
/** Duration in ms of one PCM frame. */
const frameDuration = 100;

/** Joins frames in the format that `FrameFile` reads: before each frame, its length as a little-endian uint32. */
export const joinFrames = (frames: readonly Uint8Array[]): Uint8Array => {
  const bytes = Buffer.allocUnsafe(frames.reduce((sum, { length }) => sum + lengthBytes + length, 0));
  let at = 0;
  for (const frame of frames) {
    at = bytes.writeUInt32LE(frame.length, at);
    bytes.set(frame, at);
    at += frame.length;
  }
  return bytes;
};

/**
 * Splits PCM of 16 bits into frames, and puts the length of each frame before it. The pieces may have any length. Drops
 * an incomplete sample at the end.
 * @param rate samples per second.
 */
export async function* framedPcm(
  pieces: AsyncIterable<Uint8Array>,
  rate: number,
  channels: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const sampleBytes = 2 * channels;
  const longest = sampleBytes * Math.floor((rate * frameDuration) / 1000);
  let rest: Uint8Array = new Uint8Array(0);
  for await (const piece of pieces) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const whole = bytes.length - (bytes.length % sampleBytes);
    const frames: Uint8Array[] = [];
    for (let at = 0; at < whole; at += longest)
      frames.push(bytes.subarray(at, Math.min(at + longest, whole)));
    if (frames.length > 0) yield joinFrames(frames);
    rest = new Uint8Array(bytes.subarray(whole));
  }
}

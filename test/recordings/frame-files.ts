import { encodeFrames, type WearableCodec } from '../../src/app/wearable/encode.js';

/** Encodes frames with length prefixes, as a wearable stores them. */
export const frameFile = (frames: readonly Uint8Array[]): Buffer =>
  Buffer.concat(
    frames.flatMap((frame) => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(frame.length);
      return [length, frame];
    }),
  );

/** Returns the frames of a file. */
export const framesIn = (file: Buffer): Buffer[] => {
  const frames: Buffer[] = [];
  for (let at = 0; at < file.length; at += 4 + file.readUInt32LE(at))
    frames.push(file.subarray(at + 4, at + 4 + file.readUInt32LE(at)));
  return frames;
};

/** Encodes mono 16 kHz speech as a wearable stores it. */
export const recorded = (
  pcm: Int16Array,
  codec: WearableCodec,
  rate = codec === 'pcm8' ? 8000 : 16_000,
): Buffer => frameFile(encodeFrames({ pcm, rate: 16_000 }, codec, rate).map(({ bytes }) => bytes));

/** Returns the name of a recording. @param at start in ms since the epoch. */
export const recordingName = (at: number, format = 'opus_fs320_16000_1'): string =>
  `audio_pendant_${format}_${(at / 1000).toFixed(3)}.bin`;

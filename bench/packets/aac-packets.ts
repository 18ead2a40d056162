import { execFileSync } from 'node:child_process';
import { resample } from '../../src/app/wearable/resample.js';
import { materialOf } from './materials.js';
import { framePackets, indexPackets, type Packets } from './packets.js';

/** Number of samples in an AAC-LC frame. */
const frameSamples = 1024;

/** Splits a stream of ADTS frames by the lengths in their headers (ISO/IEC 13818-7, 6.2). */
export const cutAdts = (stream: Uint8Array): Uint8Array[] => {
  const frames: Uint8Array[] = [];
  for (let at = 0; at + 7 <= stream.length; ) {
    if (stream[at] !== 0xff || (stream[at + 1]! & 0xf6) !== 0xf0)
      throw new RangeError('no ADTS frame where one must begin');
    const length = ((stream[at + 3]! & 3) << 11) | (stream[at + 4]! << 3) | (stream[at + 5]! >> 5);
    if (length < 7 || at + length > stream.length) throw new RangeError('an ADTS frame is cut off');
    frames.push(stream.subarray(at, at + length));
    at += length;
  }
  return frames;
};

/**
 * Encodes speech in noise as AAC-LC at 32 kbit/s, with the ffmpeg of this machine.
 * @throws Error if ffmpeg is missing.
 */
export const encodeAac = async (rate: number): Promise<Packets> => {
  const pcm = resample(await materialOf('speech in noise', 10), 16_000, rate);
  const input = ['-f', 's16le', '-ar', String(rate), '-ac', '1', '-i', 'pipe:0'];
  const output = ['-c:a', 'aac', '-b:a', '32k', '-f', 'adts', 'pipe:1'];
  const stream = execFileSync('ffmpeg', ['-hide_banner', '-loglevel', 'error', ...input, ...output], {
    input: new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength),
    maxBuffer: 1 << 24,
  });
  const frames = cutAdts(stream);
  const frameMs = (frameSamples / rate) * 1000;
  return { name: 'aac', rate, channels: 1, frameMs, ...indexPackets(framePackets(frames)) };
};

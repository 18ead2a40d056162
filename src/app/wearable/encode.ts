import { Encoder } from '@evan/opus';
import { packetSamples } from '../../audio/ogg/index.js';
import type { Recording } from '../../audio/wav/index.js';
import { CochleaError } from '../../errors/index.js';
import { resample } from './resample.js';

/** Codecs that this client can encode. */
export const wearableCodecs = ['pcm8', 'pcm16', 'opus', 'opus_fs320'] as const;
export type WearableCodec = (typeof wearableCodecs)[number];

/** One binary message, and the duration of its audio in ms. */
export interface Frame {
  readonly bytes: Uint8Array;
  readonly duration: number;
}

/** Duration of a message in ms, as real wearables send them. */
const frameDuration: Readonly<Record<WearableCodec, number>> = {
  pcm8: 20,
  pcm16: 20,
  opus: 10,
  opus_fs320: 20,
};

/** Bit rate of a real wearable's Opus stream, in bits per second. */
const opusBitrate = 24_000;

/** Returns the sample rate in Hz that a wearable uses with a codec. */
export const usualRate = (codec: WearableCodec): number => (codec === 'pcm8' ? 8000 : 16_000);

type Packer = (pcm: Int16Array) => Uint8Array;

const packers: Readonly<Record<WearableCodec, (rate: number) => Packer>> = {
  pcm8: () => (pcm) => Uint8Array.from(pcm, (sample) => (sample >> 8) + 128),
  pcm16: () => (pcm) => new Uint8Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.byteLength)),
  opus: (rate) => opusPacker(rate),
  opus_fs320: (rate) => opusPacker(rate),
};

const isOpusRate = (rate: number): rate is 8000 | 12_000 | 16_000 | 24_000 | 48_000 =>
  [8000, 12_000, 16_000, 24_000, 48_000].includes(rate);

const opusPacker = (rate: number): Packer => {
  if (!isOpusRate(rate)) {
    throw new CochleaError('sample_rate_unsupported', {
      codec: 'opus',
      rates: '8000, 12000, 16000, 24000, 48000',
      rate,
    });
  }
  const encoder = new Encoder({ channels: 1, sample_rate: rate, application: 'voip' });
  encoder.bitrate = opusBitrate;
  // The WebAssembly encoder returns a view of its own memory. The view must be copied before the next call.
  return (pcm) => encoder.encode(pcm).slice();
};

/**
 * Encodes a whole recording before sending, so that encoding does not delay frames. The last frame is padded with
 * silence.
 * @param rate Hz of the frames; the recording is resampled to it.
 * @throws CochleaError `sample_rate_unsupported` for Opus at a rate it does not support.
 */
export const encodeFrames = (recording: Recording, codec: WearableCodec, rate: number): Frame[] => {
  const pcm = resample(recording.pcm, recording.rate, rate);
  const duration = frameDuration[codec];
  const samples = Math.round((rate * duration) / 1000);
  const pack = packers[codec](rate);
  const frames: Frame[] = [];
  for (let start = 0; start < pcm.length; start += samples) {
    const piece = new Int16Array(samples);
    piece.set(pcm.subarray(start, start + samples));
    frames.push({ bytes: pack(piece), duration });
  }
  return frames;
};

/** Converts the packets of an Ogg Opus file into frames without changing them. */
export const packetFrames = (packets: readonly Uint8Array[]): Frame[] =>
  packets.map((bytes) => ({ bytes, duration: packetSamples(bytes, 1000) }));

/** Splits raw PCM bytes in the codec's format into messages of 20 ms. */
export const rawFrames = (bytes: Uint8Array, codec: 'pcm8' | 'pcm16', rate: number): Frame[] => {
  const width = codec === 'pcm8' ? 1 : 2;
  const length = Math.round((rate * frameDuration[codec]) / 1000) * width;
  const frames: Frame[] = [];
  for (let start = 0; start + width <= bytes.length; start += length) {
    const piece = bytes.slice(start, Math.min(start + length, bytes.length - (bytes.length % width)));
    frames.push({ bytes: piece, duration: (piece.length / width / rate) * 1000 });
  }
  return frames;
};

/** Returns frames with about `length` ms of digital silence in this codec. */
export const silentFrames = (codec: WearableCodec, rate: number, length: number): Frame[] =>
  encodeFrames({ pcm: new Int16Array(Math.round((rate * length) / 1000)), rate }, codec, rate);

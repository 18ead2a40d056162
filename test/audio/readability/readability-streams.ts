/** Streams in their declared format and in other formats, with the arrival times of their messages. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Encoder } from '@evan/opus';
import { resample } from '../../../src/app/wearable/resample.js';
import { type FrameSample, FrameSampler } from '../../../src/audio/readability/frame-sample.js';
import type { StreamFormat } from '../../../src/wire/stream.js';
import { bytesOf } from '../support.js';

/** Consecutive messages, and the duration of audio in each, in ms. */
export interface Messages {
  readonly frames: readonly Uint8Array[];
  readonly each: number;
}

/** Duration of audio, in ms, after which an unreadable stream is reported. */
const sampleTime = 2000;

/** Returns the sample that a shard would take of a stream in real time. @param decodes share of frames that the decoder accepted. */
export const sampleOf = (
  format: StreamFormat,
  { frames, each }: Messages,
  { decodes = 1, pace = 1, first = true }: { decodes?: number; pace?: number; first?: boolean } = {},
): FrameSample => {
  const sampler = new FrameSampler(format);
  for (const [index, frame] of frames.entries()) {
    const arrival = (index * each) / pace;
    if (arrival > sampleTime + each) break;
    // The arrival times include network jitter.
    sampler.add(frame, arrival + ((index * 7) % 5));
  }
  return sampler.sample({ format, first, aligned: first, decodes });
};

export const cut = (bytes: Uint8Array, length: number): Uint8Array[] =>
  Array.from({ length: Math.floor(bytes.length / length) }, (_, index) =>
    bytes.subarray(index * length, (index + 1) * length),
  );

export const pcm16 = (pcm: Int16Array, rate: number, each = 20): Messages => ({
  frames: cut(bytesOf(pcm), (rate * 2 * each) / 1000),
  each,
});

export const pcm8 = (pcm: Int16Array, rate: number, each = 20): Messages => ({
  frames: cut(
    Uint8Array.from(pcm, (sample) => (sample >> 8) + 128),
    (rate * each) / 1000,
  ),
  each,
});

/** Encodes the low half of the 16-bit range as 8-bit G.711 samples. */
export const mulaw = (pcm: Int16Array): Uint8Array =>
  Uint8Array.from(pcm, (sample) => {
    const size = Math.min(32_635, Math.abs(sample)) + 132;
    const segment = Math.floor(Math.log2(size)) - 7;
    return ~((sample < 0 ? 0x80 : 0) | (segment << 4) | ((size >> (segment + 3)) & 0x0f)) & 0xff;
  });

/** Encodes a recording as Opus. @param pcm mono 16 kHz. */
export const opus = (pcm: Int16Array, each = 20, bitrate = 24_000): Messages => {
  const encoder = new Encoder({ channels: 1, sample_rate: 16_000, application: 'voip' });
  encoder.bitrate = bitrate;
  const samples = 16 * each;
  const frames: Uint8Array[] = [];
  for (let at = 0; at + samples <= pcm.length; at += samples)
    frames.push(encoder.encode(pcm.slice(at, at + samples)).slice());
  return { frames, each };
};

const recordings = join(
  dirname(fileURLToPath(import.meta.url)),
  '..',
  '..',
  '..',
  '..',
  'fixtures',
  'recordings',
);

/** Returns the frames of a wearable's recording without the silence at its beginning. */
const recorded = (name: string, skipped: number): Uint8Array[] => {
  const file = readFileSync(join(recordings, name));
  const frames: Uint8Array[] = [];
  for (let at = 0; at < file.length; ) {
    const length = file.readUInt32LE(at);
    frames.push(file.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return frames.slice(skipped);
};

/** Returns LC3 messages: 16 kHz, 30 bytes per frame. */
export const recordedLc3 = (): Messages => ({ frames: recorded('lc3.bin', 50), each: 10 });
export const recordedAac = (): Messages => ({ frames: recorded('aac.bin', 8), each: 64 });

export const at = (pcm: Int16Array, rate: number): Int16Array => resample(pcm, 16_000, rate);

/** Puts a prefix of bytes before each frame. */
export const behind = ({ frames, each }: Messages, head: (index: number) => readonly number[]): Messages => ({
  frames: frames.map((frame, index) => Buffer.concat([Uint8Array.from(head(index)), frame])),
  each,
});

/** Returns a generator of pseudo-random numbers from -1 to 1. They are the same in every run. */
export const noise = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
};

const limited = (value: number): number => Math.max(-32_768, Math.min(32_767, Math.round(value)));
const made = (pcm: Int16Array, sample: (own: number, index: number) => number): Int16Array =>
  Int16Array.from(pcm, (own, index) => limited(sample(own, index)));

/** Fading chords with a little vibrato. */
const music = (index: number): number => {
  const time = index / 16_000;
  const root = [110, 147, 165, 220][Math.floor(time * 2) % 4]!;
  const fade = Math.exp(-((time * 2) % 1) * 2);
  let sum = 0;
  for (const [ratio, level] of [
    [1, 1],
    [1.26, 0.8],
    [1.5, 0.7],
    [2, 0.5],
    [3, 0.3],
  ] as const)
    sum += level * Math.sin(2 * Math.PI * root * ratio * time * (1 + 0.002 * Math.sin(30 * time)));
  return sum * fade * 5000;
};

/** Returns valid sounds, including some with hardly any speech. @param speech mono 16 kHz. */
export const rightSounds = (speech: Int16Array): Readonly<Record<string, Int16Array>> => {
  const random = noise(7);
  const gaussian = (): number => (random() + random() + random() + random()) * 0.87;
  let last = 0;
  return {
    speech,
    'quiet speech': made(speech, (own) => own / 100),
    'quiet speech in hiss': made(speech, (own) => own / 50 + gaussian() * 6),
    'speech in noise': made(speech, (own) => own / 3 + gaussian() * 1200),
    'speech in low noise': made(speech, (own) => {
      last = 0.97 * last + gaussian() * 300;
      return own / 4 + last;
    }),
    'speech over music': made(speech, (own, index) => own / 2 + music(index) / 2),
    music: made(speech, (_, index) => music(index)),
    'clipped speech': made(speech, (own) => own * 20),
    'speech of two values': made(speech, (own) => (own >= 0 ? 32_767 : -32_768)),
    silence: made(speech, () => 0),
    dither: made(speech, () => Math.round(random())),
    'white noise': made(speech, () => gaussian() * 3000),
    'noise at full scale': made(speech, () => random() * 32_767),
    'clipped noise': made(speech, () => gaussian() * 60_000),
    'noise of two values': made(speech, () => (random() > 0 ? 32_767 : -32_768)),
    'square wave at full scale': made(speech, (_, index) => (index % 16 < 8 ? 32_767 : -32_768)),
    'square wave in noise': made(speech, (_, index) => (index % 10 < 5 ? 20_000 : -20_000) + random() * 4000),
    modem: made(
      speech,
      (_, index) =>
        9000 * Math.sin((index * (Math.floor(index / 53) & 4 ? 980 : 1180) * 2 * Math.PI) / 16_000) +
        7000 * Math.sin((2 * Math.PI * 2100 * index) / 16_000) +
        random() * 2500,
    ),
    tone: made(speech, (_, index) => 9000 * Math.sin((2 * Math.PI * 1000 * index) / 16_000)),
    'telephone speech': Int16Array.from(speech, (_, index) => speech[index & ~1]!),
    hum: made(speech, (own, index) => own / 20 + 6000 * Math.sin((2 * Math.PI * 50 * index) / 16_000)),
    'silence, then speech': made(speech, (own, index) => (index < 16_000 ? 0 : own)),
  };
};

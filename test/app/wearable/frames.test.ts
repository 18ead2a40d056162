import { Decoder } from '@evan/opus';
import t from 'tap';
import { encodeFrames, silentFrames } from '../../../src/app/wearable/encode.js';
import { resample } from '../../../src/app/wearable/resample.js';
import { packetSamples } from '../../../src/audio/ogg/opus-packet.js';
import { addPinkNoise, pinkNoise } from '../../../src/audio/pink-noise.js';

const tone = (samples: number, rate: number, hertz = 440): Int16Array =>
  Int16Array.from({ length: samples }, (_, index) => 12_000 * Math.sin((2 * Math.PI * hertz * index) / rate));

const power = (pcm: ArrayLike<number>): number => {
  let sum = 0;
  for (let index = 0; index < pcm.length; index++) sum += pcm[index]! ** 2;
  return sum / pcm.length;
};

t.test('frames have the sizes and durations of real wearables', async (t) => {
  const recording = { pcm: tone(16_000, 16_000), rate: 16_000 };
  for (const [codec, rate, count, duration, bytes] of [
    ['pcm8', 8000, 50, 20, 160],
    ['pcm16', 16_000, 50, 20, 640],
    ['opus', 16_000, 100, 10, undefined],
    ['opus_fs320', 16_000, 50, 20, undefined],
  ] as const) {
    const frames = encodeFrames(recording, codec, rate);
    t.equal(frames.length, count, codec);
    t.ok(
      frames.every((frame) => frame.duration === duration),
      codec,
    );
    if (bytes)
      t.ok(
        frames.every((frame) => frame.bytes.length === bytes),
        codec,
      );
    else
      t.ok(
        frames.every((frame) => packetSamples(frame.bytes, 1000) === duration),
        codec,
      );
  }
});

t.test('Opus frames decode to the encoded tone, and each has its own memory', async (t) => {
  const frames = encodeFrames({ pcm: tone(16_000, 16_000), rate: 16_000 }, 'opus_fs320', 16_000);
  const decoder = new Decoder({ channels: 1, sample_rate: 16_000 });
  const decoded = frames.slice(10).flatMap(({ bytes }) => {
    const out = decoder.decode(bytes);
    return [...new Int16Array(out.buffer.slice(out.byteOffset, out.byteOffset + out.byteLength))];
  });
  const ratio = power(decoded) / power(tone(16_000, 16_000));
  t.ok(ratio > 0.7 && ratio < 1.3, `power ratio ${ratio.toFixed(2)}`);
});

t.test('encodes silence as silence in every codec', async (t) => {
  t.ok(silentFrames('pcm8', 8000, 100).every(({ bytes }) => bytes.every((byte) => byte === 0x80)));
  t.ok(silentFrames('pcm16', 16_000, 100).every(({ bytes }) => bytes.every((byte) => byte === 0)));
});

t.test('refuses a sample rate that Opus does not support', async (t) => {
  t.throws(() => encodeFrames({ pcm: tone(441, 44_100), rate: 44_100 }, 'opus', 44_100), {
    code: 'sample_rate_unsupported',
  });
});

t.test('resampling keeps frequencies below the new Nyquist frequency and removes the others', async (t) => {
  for (const [from, to, hertz, kept] of [
    [44_100, 16_000, 440, true],
    [8000, 16_000, 440, true],
    [48_000, 16_000, 3000, true],
    [48_000, 16_000, 12_000, false],
    [16_000, 8000, 6000, false],
  ] as const) {
    const output = resample(tone(from / 2, from, hertz), from, to);
    t.equal(output.length, to / 2);
    // The first and last 200 samples are left out, because there the filter reads silence beyond the ends of the
    // recording.
    const ratio = power(output.subarray(200, -200)) / power(tone(from / 2, from, hertz));
    t.ok(
      kept ? Math.abs(ratio - 1) < 0.05 : ratio < 0.001,
      `${hertz} Hz, ${from} to ${to}: ${ratio.toFixed(4)}`,
    );
  }
});

t.test(
  'pink noise has the requested level, falls with frequency, and is the same for the same seed',
  async (t) => {
    const silence = new Int16Array(32_000);
    const speech = tone(16_000, 16_000);
    const noisy = addPinkNoise(silence, speech, 15, 7);
    const ratio = 10 * Math.log10(power(speech) / power(noisy));
    t.ok(Math.abs(ratio - 15) < 0.2, `${ratio.toFixed(2)} dB`);
    // Compares bytes, because comparing long typed arrays value by value takes minutes.
    const bytes = (pcm: Int16Array): Buffer => Buffer.from(pcm.buffer);
    t.ok(bytes(addPinkNoise(silence, speech, 15, 7)).equals(bytes(noisy)));
    t.notOk(bytes(addPinkNoise(silence, speech, 15, 8)).equals(bytes(noisy)));
    const noise = pinkNoise(65_536, 3);
    const steps = noise.map((value, index) => (index === 0 ? 0 : value - noise[index - 1]!));
    // The difference of successive samples doubles the power of white noise. It lowers the power of pink noise, which is strong at low
    // frequencies.
    t.ok(power(steps) < power(noise), 'low frequencies prevail');
  },
);

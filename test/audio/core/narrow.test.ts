/**
 * Tests speech at 8 kHz. The reference is the detector on the original 16 kHz speech. The 8 kHz model is closer to the
 * reference than the 16 kHz model on resampled speech. Prints the difference, also for Opus, which is always decoded to
 * 16 kHz (docs/evidence/experiments.md explains why).
 */
import { createRequire } from 'node:module';
import t from 'tap';
import { coreRate } from '../../../src/audio/interface/core.js';
import { addPinkNoise } from '../../../src/audio/pink-noise.js';
import { encodeOpus, gateOptions, halved, nativeAddon, speech, withoutNative } from '../support.js';
import { minutesOfSpeech } from './minutes.js';

/** Ratio of speech to noise, in dB. */
const noiseRatio = 15;
/** Delay of Opus at 8 kHz that its decoder does not compensate: 52 samples, 6.5 ms. */
const opusDelay = 52;
/** Seconds of speech that are encoded in Opus. Encoding Opus takes the longest. */
const opusSeconds = 120;

const { Decoder } = createRequire(import.meta.url)('@evan/opus/wasm/index.js') as {
  Decoder: new (options: {
    channels: number;
    sample_rate: number;
  }) => {
    decode(packet: Uint8Array): Uint8Array;
    drop(): void;
  };
};

const decodeOpus = (packets: readonly Uint8Array[], rate: number): Int16Array => {
  const decoder = new Decoder({ channels: 1, sample_rate: rate });
  const pcm = new Int16Array((packets.length * rate) / 50);
  packets.forEach((packet, i) => {
    const bytes = decoder.decode(packet).slice();
    pcm.set(new Int16Array(bytes.buffer), (i * rate) / 50);
  });
  decoder.drop();
  return pcm.subarray((opusDelay * rate) / 8000);
};

/** Returns every other piece of four seconds with one second of silence after it, so that the speech has ends and onsets. */
const paused = (pcm: Int16Array): Int16Array => {
  const [piece, step] = [4 * coreRate, 5 * coreRate];
  const count = Math.floor(pcm.length / piece / 2);
  const out = new Int16Array(count * step);
  for (let i = 0; i < count; i++) out.set(pcm.subarray(2 * i * piece, (2 * i + 1) * piece), i * step);
  return out;
};

/** Returns for each threshold the share of windows for which `found` and `expected` are on different sides of it. */
const astray = (found: Float32Array, expected: Float32Array): { onset: number; off: number } => {
  const count = Math.min(found.length, expected.length);
  const part = (threshold: number): number => {
    let wrong = 0;
    for (let w = 0; w < count; w++) if (found[w]! >= threshold !== expected[w]! >= threshold) wrong++;
    return wrong / count;
  };
  return { onset: part(gateOptions.onset), off: part(gateOptions.off) };
};

void t.test('finds the same speech at 8 kHz as at 16 kHz', { skip: withoutNative }, async (t) => {
  const { addon, weights } = nativeAddon();
  const minutes = minutesOfSpeech();
  if ('missing' in minutes) t.pass('minutes of speech beside the bundled', { skip: minutes.missing });
  const rest = 'missing' in minutes ? new Int16Array(0) : paused(minutes);
  const material = new Int16Array(speech.length + rest.length);
  material.set(speech);
  material.set(rest, speech.length);
  const hear = (pcm: Int16Array, rate: number): Float32Array =>
    addon.probeDetector(weights, pcm, 1, undefined, false, rate);
  for (const [name, wide] of [
    ['clean', material],
    [`in noise at ${noiseRatio} dB`, addPinkNoise(material, material, noiseRatio)],
  ] as const) {
    const expected = hear(wide, coreRate);
    const narrow = halved(wide);
    const coarse = Int16Array.from(narrow, (x) => Math.max(-128, Math.min(127, Math.round(x / 256))) * 256);
    const packets = encodeOpus(narrow.subarray(0, opusSeconds * 8000), 8000, 1, 20);
    const forms: [string, Int16Array, Int16Array][] = [
      ['pcm16', addon.probeResampler(8000, narrow), narrow],
      ['pcm8', addon.probeResampler(8000, coarse), coarse],
      ['opus', decodeOpus(packets, coreRate), decodeOpus(packets, 8000)],
    ];
    for (const [form, resampled, asItCame] of forms) {
      const before = astray(hear(resampled, coreRate), expected);
      const now = astray(hear(asItCame, 8000), expected);
      const percent = (x: number): string => `${(100 * x).toFixed(2)} %`;
      t.comment(
        `${form}, ${name}: windows astray at onset ${percent(before.onset)} resampled, ${percent(now.onset)} as it came; ` +
          `at off ${percent(before.off)}, ${percent(now.off)}`,
      );
      if (form === 'opus') continue;
      t.ok(now.onset < before.onset && now.off < before.off, `${form}, ${name}: nearer as it came`);
    }
  }
});

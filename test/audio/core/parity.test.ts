/**
 * The detector of every instruction set compared with onnxruntime on minutes of speech, noise, music and silence, at
 * 16 kHz and at 8 kHz.
 */
import t from 'tap';
import { coreRate } from '../../../src/audio/interface/core.js';
import {
  Detector,
  type DetectorRate,
  DetectorState,
  windowAt,
} from '../../../src/audio/portable/detector.js';
import { gateOptions, halved, nativeAddon, seededNoise, withoutNative } from '../support.js';
import { minutesOfSpeech } from './minutes.js';

/** Maximum difference of probabilities that a different order of float32 sums can cause. */
const tolerance = 1e-4;
const streams = 16;

const clamp = (x: number): number => Math.max(-32_768, Math.min(32_767, Math.round(x)));

/** Distributes the windows of a signal equally over streams. */
const dealt = (pcm: Int16Array, windowSamples: number): Int16Array[] => {
  const length = Math.floor(pcm.length / streams / windowSamples) * windowSamples;
  return Array.from({ length: streams }, (_, s) => pcm.subarray(s * length, (s + 1) * length));
};

const noisy = (pcm: Int16Array, level: number): Int16Array => {
  const noise = seededNoise(21);
  return Int16Array.from(pcm, (x) => clamp(x + noise() * level));
};

/** Generates plucked chords with overtones over a beat of noise. */
const music = (samples: number): Int16Array => {
  const noise = seededNoise(22);
  const notes = [196, 247, 294, 392, 330, 262, 220, 349];
  return Int16Array.from({ length: samples }, (_, i) => {
    const beat = i % 8000;
    const decay = Math.exp(-beat / 3000);
    const root = notes[Math.floor(i / 8000) % notes.length]!;
    let sum = noise() * 3000 * Math.exp(-beat / 300);
    for (const [ratio, gain] of [
      [1, 5000],
      [1.25, 3500],
      [1.5, 3500],
      [2, 2000],
      [3, 1000],
    ] as const) {
      sum += gain * decay * Math.sin((2 * Math.PI * root * ratio * i) / coreRate);
    }
    return clamp(sum);
  });
};

/** Computes the probabilities with onnxruntime, stream by stream. */
const referenceOf = async (
  detector: Detector,
  inputs: readonly Int16Array[],
  rate: DetectorRate,
): Promise<Float32Array[]> => {
  const windowSamples = windowAt(rate);
  const windows = inputs[0]!.length / windowSamples;
  const states = inputs.map(() => new DetectorState(rate));
  const found = inputs.map(() => new Float32Array(windows));
  for (let w = 0; w < windows; w++) {
    const now = await detector.run(
      states,
      inputs.map((pcm) => pcm.subarray(w * windowSamples, (w + 1) * windowSamples)),
    );
    now.forEach((p, s) => {
      found[s]![w] = p;
    });
  }
  return found;
};

const minutes = minutesOfSpeech();
const withoutMinutes = 'missing' in minutes && `minutes of speech cannot be had here: ${minutes.missing}`;

/** Number of values in a gate event, and the index of the mean probability in it. */
const eventFields = 7;
const probabilityField = 6;

void t.test(
  'computes the same probabilities as onnxruntime',
  { skip: withoutNative || withoutMinutes },
  async (t) => {
    const { addon, weights } = nativeAddon();
    const speech = minutes as Int16Array;
    t.ok(speech.length >= 600 * coreRate, `${Math.round(speech.length / coreRate)} s of speech`);
    const minute = speech.subarray(0, 60 * coreRate);
    const noise = seededNoise(23);
    const materials: [string, Int16Array][] = [
      ['speech', speech],
      ['speech in noise', noisy(minute, 1500)],
      ['speech buried in noise', noisy(minute, 8000)],
      ['distant speech', Int16Array.from(minute, (x) => Math.round(x / 50))],
      ['noise', Int16Array.from({ length: 30 * coreRate }, () => clamp(noise() * 20_000))],
      ['music', music(30 * coreRate)],
      ['silence', new Int16Array(30 * coreRate)],
    ];
    const isas = ['avx512', 'avx2', 'neon', 'scalar'].filter((isa) => {
      try {
        addon.probeDetector(weights, new Int16Array(0), 1, isa);
        return true;
      } catch {
        return false;
      }
    });
    t.ok(isas.includes(addon.isa));
    for (const rate of [coreRate, 8000] as const) {
      const detector = await Detector.create(rate);
      for (const [name, wide] of materials) {
        const title = `${name} at ${rate} Hz`;
        const inputs = dealt(rate === coreRate ? wide : halved(wide), windowAt(rate));
        const reference = await referenceOf(detector, inputs, rate);
        for (const isa of isas) {
          let worst = 0;
          let astray = 0;
          inputs.forEach((input, s) => {
            const expected = reference[s]!;
            const found = addon.probeDetector(weights, input, 1, isa, false, rate);
            let open = false;
            for (let w = 0; w < expected.length; w++) {
              worst = Math.max(worst, Math.abs(found[w]! - expected[w]!));
              for (const threshold of [gateOptions.onset, gateOptions.off]) {
                if (Math.abs(expected[w]! - threshold) <= tolerance) open = true;
                else if (found[w]! >= threshold !== expected[w]! >= threshold) astray++;
              }
            }
            const [mine, theirs] = [found, expected].map((ps) =>
              Array.from(addon.probeGate(gateOptions, ps)),
            );
            const differs = mine!.some((value, place) =>
              place % eventFields === probabilityField
                ? Math.abs(value - theirs![place]!) > tolerance
                : value !== theirs![place],
            );
            if ((differs || mine!.length !== theirs!.length) && !open) astray++;
          });
          t.ok(worst <= tolerance, `${isa}, ${title}: within ${worst.toExponential(1)}`);
          t.equal(astray, 0, `${isa}, ${title}: the gate decides alike`);
        }
      }
    }
  },
);

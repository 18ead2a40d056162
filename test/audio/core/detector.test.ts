/** The native detector compared with onnxruntime on the same windows. */
import t from 'tap';
import {
  Detector,
  type DetectorRate,
  DetectorState,
  windowAt,
} from '../../../src/audio/portable/detector.js';
import { nativeAddon, seededNoise, speech, withoutNative } from '../support.js';

/** The sample rate selects the 16 kHz model or the 8 kHz model. The sounds themselves may have any rate. */
const rates: readonly DetectorRate[] = [16_000, 8000];
const noise = seededNoise(9);
const materials: [string, Int16Array][] = [
  ['speech', speech],
  ['speech at a hundredth', Int16Array.from(speech, (sample) => sample / 100)],
  ['speech, clipped', Int16Array.from(speech, (sample) => Math.max(-32_768, Math.min(32_767, sample * 12)))],
  [
    'speech in noise',
    Int16Array.from(speech, (sample) => Math.max(-32_768, Math.min(32_767, sample + noise() * 1500))),
  ],
  ['noise', Int16Array.from({ length: 160_000 }, () => noise() * 20_000)],
  ['silence', new Int16Array(160_000)],
  [
    'a chord',
    Int16Array.from({ length: 160_000 }, (_, i) =>
      [220, 277, 330].reduce((sum, f) => sum + 5000 * Math.sin((f * i * 2 * Math.PI) / 16_000), 0),
    ),
  ],
];

void t.test(
  'the native detector computes the reference probabilities',
  { skip: withoutNative },
  async (t) => {
    const { addon, weights } = nativeAddon();
    for (const [title, pcm, rate] of materials.flatMap(([title, pcm]) =>
      rates.map((rate) => [`${title} at ${rate} Hz`, pcm, rate] as const),
    )) {
      const reference = await Detector.create(rate);
      const windowSamples = windowAt(rate);
      const alone = addon.probeDetector(weights, pcm, 1, undefined, false, rate);
      const batched = addon.probeDetector(weights, pcm, 16, undefined, false, rate);
      const state = new DetectorState(rate);
      let worst = 0;
      let batchWorst = 0;
      for (let w = 0; w < alone.length; w++) {
        const [expected] = await reference.run(
          [state],
          [pcm.subarray(w * windowSamples, (w + 1) * windowSamples)],
        );
        worst = Math.max(worst, Math.abs(alone[w]! - expected!));
        batchWorst = Math.max(batchWorst, Math.abs(batched[w]! - alone[w]!));
      }
      t.ok(worst <= 1e-4, `${title}: within ${worst} of onnxruntime`);
      t.ok(batchWorst <= 1e-6, `${title}: within ${batchWorst} whether alone or in a batch`);
    }
    t.ok(
      addon.probeDetector(weights, speech, 1).some((p) => p > 0.9),
      'and speech is speech',
    );
    t.throws(() => addon.probeDetector(weights, speech, 1, 'mmx'), /does not run mmx/);
    t.throws(
      () => addon.probeDetector(weights, speech, 1, undefined, false, 11_025),
      /no weights for this rate/,
    );
    t.throws(
      () =>
        new addon.Core(
          { gate: {} } as never,
          new Uint8Array(1),
          new Float64Array(5),
          new Uint32Array(1),
          new Uint8Array(3),
        ),
    );
  },
);

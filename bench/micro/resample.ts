import { resample } from '../../src/app/wearable/resample.js';
import { loadAddon } from '../../src/audio/addon.js';
import { Resampler } from '../../src/audio/portable/resampler.js';
import { materialOf } from '../packets/materials.js';
import { cpuPerUnit } from './clock.js';
import { type Entry, type Suite, SuiteRows } from './suite.js';

const rates = [8000, 11_025, 12_000, 22_050, 24_000, 32_000, 44_100, 48_000];
/** Length of a frame in ms. */
const frameMs = 20;
/** Number of frames in a round. It is large enough for the resolution of the clock. */
const perRound = 500;

/**
 * Measures the ns to resample a frame of 20 ms to 16 kHz. Compares the core's filter with the same filter in
 * JavaScript.
 */
export const resampleSuite: Suite = async (options) => {
  const rows = new SuiteRows('resample', 'ns_per_frame', options);
  const { addon } = loadAddon();
  const speech = await materialOf('speech in noise', 10);
  for (const rate of rates) {
    const pcm = resample(speech, 16_000, rate);
    const common = { rate, frame_ms: frameMs };
    const size = Math.round((rate * frameMs) / 1000);
    const frames = Math.floor(pcm.length / size);
    const portable = new Resampler(rate);
    const entries = new Map<string, Entry>([
      [
        'cochlea',
        {
          labels: { contender: 'cochlea', isa: addon.isa, ...common },
          measure: () => cpuPerUnit(pcm.length / size, () => addon.probeResampler(rate, pcm)),
        },
      ],
      [
        'portable',
        {
          labels: { contender: 'portable', ...common },
          measure: (round) =>
            cpuPerUnit(perRound, () => {
              for (let i = 0; i < perRound; i++) {
                const at = ((round * perRound + i) % frames) * size;
                portable.process(pcm.subarray(at, at + size));
              }
            }),
        },
      ],
    ]);
    await rows.add(`from ${rate} Hz`, entries);
  }
  return rows;
};

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resample } from '../../../src/app/wearable/resample.js';
import { loadAddon } from '../../../src/audio/addon.js';
import { coreRate, windowSamples } from '../../../src/audio/interface/core.js';
import { materialOf } from '../../packets/materials.js';
import { cpuPerUnit } from '../clock.js';
import { coreOptions } from '../core-options.js';
import { knownIsas, machineIsas } from '../isas.js';
import { type Entry, type Suite, SuiteRows } from '../suite.js';
import { OnnxDetector } from './onnx-detector.js';
import { WebrtcDetector, webrtcSamples } from './webrtc-detector.js';

/**
 * The models, each with the batch sizes of the core that are measured. All other contenders are compared with the first
 * batch size.
 */
const models = [
  { rate: coreRate, window: windowSamples, batches: [1, 4, 8, 16, 32, 64] },
  { rate: 8000, window: 256, batches: [1, 16] },
] as const;
const onnxBatches = [1, 16];
/**
 * Returns the label `rate` for a row. Rows of 16 kHz omit the label, because older reports have no such label and would
 * otherwise not match.
 */
const told = (rate: number): { rate?: number } => (rate === coreRate ? {} : { rate });
/** Number of windows that each contender computes in a round. The number is the sum over all streams of its batch. */
const perRound = { cochlea: 512, onnxruntime: 64, webrtc: 512 } as const;

/** Returns the part of the material for a round. Each round uses other windows. */
const stretch = (pcm: Int16Array, round: number, windows: number, size: number): Int16Array => {
  const rounds = Math.floor(pcm.length / size / windows);
  const at = (round % rounds) * windows * size;
  return pcm.subarray(at, at + windows * size);
};

const packageVersion = (name: string): string =>
  (
    JSON.parse(readFileSync(createRequire(import.meta.url).resolve(`${name}/package.json`), 'utf8')) as {
      version: string;
    }
  ).version;

/**
 * Measures the cost of a window that is fully computed, by rate, instruction set and batch size. Compares the core with
 * other detectors.
 */
export const vadSuite: Suite = async (options) => {
  const rows = new SuiteRows('vad', 'us_per_window', options);
  const { addon, weights } = loadAddon();
  const pcm = await materialOf('speech in noise', 30);
  const isas = machineIsas();
  for (const isa of knownIsas.filter((name) => !isas.includes(name))) {
    rows.skip(isa, 'this machine or this build does not have it');
  }
  isas.sort((a, b) => Number(b === addon.isa) - Number(a === addon.isa));
  // A core of each instruction set stays open, so that its packed weights stay in memory. Otherwise each measurement
  // would pack the weights again.
  const holders = isas.map(
    (isa) =>
      new addon.Core(
        { ...coreOptions, maxStreams: 1, isa },
        new Uint8Array(8),
        new Float64Array(5),
        new Uint32Array(1),
        weights,
      ),
  );
  const entries = new Map<string, Entry>();
  const sounds = new Map(models.map(({ rate }) => [rate, resample(pcm, coreRate, rate)]));
  for (const { rate, window, batches } of models) {
    const sound = sounds.get(rate)!;
    for (const isa of isas) {
      for (const batch of batches) {
        const windows = perRound.cochlea / batch;
        entries.set(`${isa} ${rate} x${batch}`, {
          labels: { contender: 'cochlea', isa, ...told(rate), batch },
          // Rows of other instruction sets are compared with the best instruction set. Rows of the best one are
          // compared with the row of the first model.
          against: `${addon.isa} ${isa === addon.isa ? coreRate : rate} x${batch}`,
          measure: async (round) =>
            (await cpuPerUnit(windows * batch, () =>
              addon.probeDetector(weights, stretch(sound, round, windows, window), batch, isa, true, rate),
            )) / 1000,
        });
      }
    }
  }
  const version = packageVersion('onnxruntime-node');
  const session = await OnnxDetector.openSession();
  for (const { rate, window } of models) {
    const sound = sounds.get(rate)!;
    for (const batch of onnxBatches) {
      const detector = OnnxDetector.over(session, batch, rate);
      const windows = Math.max(4, perRound.onnxruntime / batch);
      entries.set(`onnxruntime ${rate} x${batch}`, {
        labels: { contender: 'onnxruntime', version, ...told(rate), batch },
        against: `${addon.isa} ${rate} x${batch}`,
        measure: async (round) => {
          const part = stretch(sound, round, windows, window);
          const cost = await cpuPerUnit(windows * batch, async () => {
            for (let w = 0; w < windows; w++) await detector.run(part.subarray(w * window, (w + 1) * window));
          });
          return cost / 1000;
        },
      });
    }
  }
  try {
    const webrtc = await WebrtcDetector.open();
    entries.set('webrtc', {
      labels: {
        contender: 'webrtc',
        version: packageVersion('@echogarden/fvad-wasm'),
        batch: 1,
        mode: 'scaled from 30 ms to a window of 32 ms',
      },
      against: `${addon.isa} ${coreRate} x1`,
      measure: async (round) => {
        const part = stretch(pcm, round, perRound.webrtc, webrtcSamples);
        const cost = await cpuPerUnit((perRound.webrtc * webrtcSamples) / windowSamples, () => {
          for (let at = 0; at < part.length; at += webrtcSamples)
            webrtc.run(part.subarray(at, at + webrtcSamples));
        });
        return cost / 1000;
      },
      close: () => webrtc.close(),
    });
  } catch (error) {
    rows.skip('webrtc', error);
  }
  try {
    await rows.add(`${addon.isa}, batch 1`, entries);
  } finally {
    for (const holder of holders) holder.destroy();
    await session.release();
  }
  rows.versions['onnxruntime-node'] = version;
  return rows;
};

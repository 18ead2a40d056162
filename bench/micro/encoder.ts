import { loadAnalysis, melBands } from '../../src/audio/analysis.js';
import { loadSettings } from '../../src/config/load-settings.js';
import { modelsDirectory } from '../../src/models/directory.js';
import { SpeakerEncoder } from '../../src/models/speaker-encoder.js';
import { speakerModel } from '../../src/models/speaker-model.js';
import { requireModel } from '../../src/models/verify.js';
import { materialOf } from '../packets/materials.js';
import { cpuPerUnit } from './clock.js';
import { type Entry, type Suite, SuiteRows } from './suite.js';

const name = 'ge2e';
const batches = [1, 8];
/** Seconds of speech from which one mel spectrogram is computed. */
const melSeconds = 4;

const melEntries = async (): Promise<Map<string, Entry>> => {
  const pcm = await materialOf('speech in noise', melSeconds);
  const calls = 5;
  return new Map(
    [loadAnalysis('native'), loadAnalysis('portable')].map((analysis): [string, Entry] => {
      const contender = analysis.name === 'native' ? 'cochlea' : 'portable';
      return [
        contender,
        {
          labels: { contender, isa: analysis.isa, mode: `mel spectrogram of ${melSeconds} s` },
          measure: async () =>
            (await cpuPerUnit(calls, () => {
              for (let i = 0; i < calls; i++) analysis.melSpectrogram(pcm, 1);
            })) / 1000,
        },
      ];
    }),
  );
};

const encoderEntries = (encoder: SpeakerEncoder, mels: Float32Array): Map<string, Entry> => {
  const { frames, bands } = encoder.model.frontEnd;
  const size = frames * bands;
  return new Map(
    batches.map((batch): [string, Entry] => {
      const partials = new Float32Array(batch * size);
      for (let p = 0; p < batch; p++) partials.set(mels.subarray(p * bands, p * bands + size), p * size);
      const labels = { contender: 'cochlea', batch, mode: `${name}, all partials of a run` };
      return [
        `x${batch}`,
        { labels, measure: async () => (await cpuPerUnit(1, () => encoder.encode(partials))) / 1000 },
      ];
    }),
  );
};

/** Measures the us of one mel spectrogram, and of one run of the speaker encoder. */
export const encoderSuite: Suite = async (options) => {
  const rows = new SuiteRows('encoder', 'us_per_call', options);
  await rows.add('mel spectrogram', await melEntries());
  let encoder: SpeakerEncoder;
  try {
    const files = await requireModel(name, modelsDirectory(loadSettings().values));
    encoder = await SpeakerEncoder.load(speakerModel(name), files);
  } catch (error) {
    rows.skip('encoder', error);
    return rows;
  }
  try {
    const pcm = await materialOf('speech in noise', melSeconds);
    const mels = loadAnalysis('native').melSpectrogram(pcm, 1);
    if (encoder.model.frontEnd.bands !== melBands) throw new Error(`${name} has another front end`);
    await rows.add(name, encoderEntries(encoder, mels));
  } finally {
    await encoder.release();
  }
  return rows;
};

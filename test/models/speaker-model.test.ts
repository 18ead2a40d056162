/** Tests the speaker encoder's pre- and post-processing (level, average). Compares the encoder with the formulas of its network. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { loadSettings } from '../../src/config/load-settings.js';
import { packageDirectory } from '../../src/config/process/data-dir.js';
import { findModel } from '../../src/models/directory.js';
import { ensureModel, modelOptions } from '../../src/models/ensure.js';
import { SpeakerEncoder } from '../../src/models/speaker-encoder.js';
import { averageEmbedding, speakerModel, speechGain } from '../../src/models/speaker-model.js';

const model = speakerModel('ge2e');
const { frontEnd } = model;

void t.test('finds the speaker model of the manifest and refuses others', async (t) => {
  t.throws(() => speakerModel('silero'), /not a speaker model/);
  t.throws(() => speakerModel('unheard'), { code: 'model_unknown' });
  t.ok(
    findModel('ge2e').files.some(({ name }) => name === model.graph),
    'the graph is one of the files',
  );
});

void t.test('normalises the level of speech', async (t) => {
  const tone = (amplitude: number) =>
    Int16Array.from({ length: 16_000 }, (_, i) => amplitude * Math.sin(i / 5));
  for (const amplitude of [100, 5000, 32_767]) {
    const rms = (amplitude / 32_768) * Math.SQRT1_2 * speechGain(tone(amplitude), frontEnd);
    t.ok(Math.abs(20 * Math.log10(rms) + 26) < 0.1, `amplitude ${amplitude}`);
  }
  t.equal(speechGain(new Int16Array(100), frontEnd), 0);
  t.equal(speechGain(new Int16Array(0), frontEnd), 0);
});

void t.test('averages embeddings to length one', async (t) => {
  const average = averageEmbedding(Float32Array.of(1, 0, 0, 1), 2);
  t.same([...average], [Math.fround(Math.SQRT1_2), Math.fround(Math.SQRT1_2)]);
  t.same([...averageEmbedding(Float32Array.of(1, 0, -1, 0), 2)], [0, 0]);
});

/** Returns the tensors of the weight file in double precision, located by the generator's table. */
const readWeights = (path: string): Map<string, Float64Array> => {
  const file = readFileSync(path);
  const table = join(packageDirectory(), 'src', 'models', 'graphs', 'generate', 'layouts', 'ge2e.tsv');
  const rows = readFileSync(table, 'utf8').trim().split('\n').slice(1);
  return new Map(
    rows.map((row) => {
      const [name, , , offset, bytes] = row.split('\t');
      const values = new Float64Array(Number(bytes) / 4);
      for (let i = 0; i < values.length; i++) values[i] = file.readFloatLE(Number(offset) + 4 * i);
      return [name!, values];
    }),
  );
};

const hidden = 256;
const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

/** Computes GE2E for one partial: three LSTM layers, a linear layer, rectified and scaled to length one. */
const network = (weights: Map<string, Float64Array>, mels: Float32Array): Float64Array => {
  const get = (name: string) => weights.get(name)!;
  let sequence = Array.from({ length: 160 }, (_, i) =>
    Float64Array.from(mels.subarray(i * 40, (i + 1) * 40)),
  );
  for (let layer = 0; layer < 3; layer++) {
    const [fromInput, fromHidden] = [get(`lstm.weight_ih_l${layer}`), get(`lstm.weight_hh_l${layer}`)];
    const [inputBias, hiddenBias] = [get(`lstm.bias_ih_l${layer}`), get(`lstm.bias_hh_l${layer}`)];
    let state = new Float64Array(hidden);
    const cell = new Float64Array(hidden);
    sequence = sequence.map((input) => {
      const gates = new Float64Array(4 * hidden);
      for (let g = 0; g < gates.length; g++) {
        let sum = inputBias[g]! + hiddenBias[g]!;
        for (let i = 0; i < input.length; i++) sum += fromInput[g * input.length + i]! * input[i]!;
        for (let i = 0; i < hidden; i++) sum += fromHidden[g * hidden + i]! * state[i]!;
        gates[g] = sum;
      }
      state = new Float64Array(hidden);
      for (let i = 0; i < hidden; i++) {
        cell[i] =
          sigmoid(gates[hidden + i]!) * cell[i]! + sigmoid(gates[i]!) * Math.tanh(gates[2 * hidden + i]!);
        state[i] = sigmoid(gates[3 * hidden + i]!) * Math.tanh(cell[i]!);
      }
      return state;
    });
  }
  const last = sequence.at(-1)!;
  const bias = get('linear.bias');
  const linear = get('linear.weight');
  const out = Float64Array.from(bias, (start, o) => {
    let sum = start;
    for (let i = 0; i < hidden; i++) sum += linear[o * hidden + i]! * last[i]!;
    return Math.max(0, sum);
  });
  const length = Math.sqrt(out.reduce((power, value) => power + value * value, 0));
  return out.map((value) => value / length);
};

const found = await ensureModel('ge2e', modelOptions(loadSettings().values)).catch((error: Error) => error);

void t.test(
  'the encoder computes embeddings of any number of windows',
  { skip: found instanceof Error && found.message },
  async (t) => {
    const files = found as Exclude<typeof found, Error>;
    const encoder = await SpeakerEncoder.load(model, files);
    t.teardown(() => encoder.release());
    const weights = readWeights(files.files['pretrained.pt']!);
    // Mel bands with the loudness of speech. They are more partials than one run of the model accepts.
    const size = 160 * 40;
    const count = 35;
    const partials = Float32Array.from({ length: count * size }, (_, i) => {
      const partial = Math.floor(i / size);
      return 0.02 * (1 + partial / 7) * Math.exp(3 * Math.sin(i * (0.011 + partial * 0.0003)) - (i % 40) / 8);
    });
    const embeddings = await encoder.encode(partials);
    t.equal(embeddings.length, count * model.dimensions);
    for (const partial of [0, 34]) {
      const expected = network(weights, partials.subarray(partial * size, (partial + 1) * size));
      const worst = Math.max(...expected.map((e, i) => Math.abs(e - embeddings[partial * 256 + i]!)));
      t.ok(worst < 2e-6, `partial ${partial}: within ${worst.toExponential(1)} of double precision`);
    }
    const alone = await encoder.encode(partials.subarray(0, size));
    const apart = Math.max(...alone.map((value, i) => Math.abs(value - embeddings[i]!)));
    t.ok(apart < 1e-6, `alone as in a batch, within ${apart.toExponential(1)}`);
    t.equal((await encoder.encode(new Float32Array(0))).length, 0);
  },
);

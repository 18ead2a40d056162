/** The committed graph skeletons equal their generator's output. The positions of weights match the weight files. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { loadSettings } from '../../src/config/load-settings.js';
import { ensureModel, modelOptions } from '../../src/models/ensure.js';
import { whisperParameters } from '../../src/models/manifest/whisper-parameters.js';
import { verifyModel } from '../../src/models/verify.js';
import { generate, graphs, withoutGenerator as skip } from './generator.js';
import { scratch } from './toy.js';

const settings = loadSettings().values;
const parameters = whisperParameters();

t.test('the generator reproduces the committed skeletons', { skip }, async (t) => {
  const out = scratch(t);
  const made = generate(out, parameters);
  t.ok(made.ok, made.said || 'it ran');
  const committed = readdirSync(graphs).filter((name) => name.endsWith('.onnx'));
  t.strictSame(readdirSync(out).sort(), committed.sort());
  for (const name of committed) {
    t.ok(readFileSync(join(out, name)).equals(readFileSync(join(graphs, name))), `${name} is byte-identical`);
  }
});

t.test('weights of another size than the manifest says are refused', { skip }, async (t) => {
  const { recogniser, bytes } = parameters['whisper-medium']!;
  const made = generate(scratch(t), { medium: { recogniser, bytes: bytes! + 1 } });
  t.notOk(made.ok);
  t.match(made.said, /weights of this shape have 1527906378 bytes, not 1527906379/);
});

t.test("the positions of Whisper's weights are those of the weight files", { skip }, async (t) => {
  const options = modelOptions(settings);
  await ensureModel('whisper-tiny.en', options);
  const computed = scratch(t);
  t.ok(generate(computed, parameters, '--layouts').ok);
  for (const [name, { recogniser }] of Object.entries(parameters)) {
    const files = await verifyModel(name, options.directory);
    const weights = files.find(({ file }) => file.name === recogniser.weights.file)!;
    if (weights.state !== 'verified') {
      t.comment(`${name} is not installed: its weights are not read`);
      continue;
    }
    const read = scratch(t);
    const made = generate(read, {}, '--layouts', `${name}=${weights.path}`);
    t.ok(made.ok, made.said || 'it ran');
    const [one, other] = [read, computed].map((folder) => readFileSync(join(folder, `${name}.tsv`), 'utf8'));
    t.equal(other, one, name);
  }
});

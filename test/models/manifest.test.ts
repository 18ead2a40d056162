/** Tests the models that this product names, and their locations. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { loadSettings } from '../../src/config/load-settings.js';
import { dataDirectory, packageDirectory } from '../../src/config/process/data-dir.js';
import { findModel } from '../../src/models/directory.js';
import { manifest } from '../../src/models/manifest/manifest.js';
import { manifestSchema } from '../../src/models/manifest/schema.js';
import { whisperTokens } from '../../src/models/tokens.js';
import { sha256 } from './toy.js';

t.test('names are unique, and shipped files match the manifest', async (t) => {
  t.equal(new Set(manifest.map((entry) => entry.name)).size, manifest.length);
  for (const entry of manifest) {
    t.equal(new Set(entry.files.map((file) => file.name)).size, entry.files.length, entry.name);
    for (const file of entry.files) {
      for (const source of file.sources) {
        if (source.kind !== 'shipped') continue;
        const shipped = readFileSync(join(packageDirectory(), 'src', 'models', source.path));
        t.equal(sha256(shipped), file.sha256, source.path);
        t.equal(shipped.length, file.bytes);
      }
    }
  }
});

t.test('refuses file names outside the folder', async (t) => {
  const entry = structuredClone(findModel('silero'));
  for (const name of ['../x', 'a/b', '/etc/passwd', '.hidden', '']) {
    entry.files[0]!.name = name;
    t.notOk(manifestSchema.safeParse([entry]).success, JSON.stringify(name));
  }
});

const speechModels = manifest.filter(({ recogniser }) => recogniser !== undefined);

t.test('what a speech model names is among its files', async (t) => {
  for (const { name: model, recogniser, files } of speechModels) {
    const names = files.map(({ name }) => name);
    const { encoder, decoders, vocabulary, weights } = recogniser!;
    for (const name of [encoder, vocabulary, weights.file, ...decoders.map(({ graph }) => graph)])
      t.ok(names.includes(name), `${model}: ${name}`);
    const sizes = decoders.map(({ texts }) => texts);
    t.equal(sizes[0], 1);
    t.strictSame(
      sizes,
      [...sizes].sort((one, other) => one - other),
    );
  }
});

t.test('parameters of a speech model that contradict each other are refused', async (t) => {
  const faults: Record<string, (model: NonNullable<(typeof manifest)[number]['recogniser']>) => void> = {
    'a token outside the vocabulary': ({ tokens }) => tokens.suppressed.push(51_865),
    'a negative token': ({ tokens }) => tokens.suppressed.push(-1),
    'more languages than tokens': ({ languages }) => languages.push(...Array<string>(2000).fill('xx')),
    'several languages without tokens': ({ tokens }) => {
      tokens.firstLanguage = null;
    },
    'a head that does not exist': ({ alignment }) => alignment.push([0, 8]),
    'a layer that does not exist': ({ alignment }) => alignment.push([6, 0]),
    'a text that is too long': (model) => {
      model.mostTokens = 445;
    },
  };
  const base = (): (typeof manifest)[number] => structuredClone(findModel('whisper-base'));
  t.ok(manifestSchema.safeParse([base()]).success);
  for (const [fault, make] of Object.entries(faults)) {
    const entry = base();
    make(entry.recogniser!);
    t.notOk(manifestSchema.safeParse([entry]).success, fault);
  }
});

t.test('the parts of a file have its size', async (t) => {
  const entry = structuredClone(findModel('whisper-base'));
  entry.files[0]!.bytes++;
  t.notOk(manifestSchema.safeParse([entry]).success);
});

/** Returns the tokens of a vocabulary that fits a model. Its text tokens repeat the same four words. */
const vocabularyOf = ({
  shape,
  tokens,
  languages,
}: (typeof speechModels)[number]['recogniser'] & object): string[] => {
  const all = Array.from({ length: shape.vocabulary }, (_, id) =>
    id < tokens.end ? ['A', 'Ġthe', 'Ċ', 'Ã©'][id % 4]! : `<|${id}|>`,
  );
  all[tokens.end] = '<|endoftext|>';
  all[tokens.start] = '<|startoftranscript|>';
  all[tokens.noSpeech] = '<|nocaptions|>';
  all[tokens.noTimestamps] = '<|notimestamps|>';
  if (tokens.transcribe !== null) all[tokens.transcribe] = '<|transcribe|>';
  if (tokens.firstLanguage !== null) {
    for (const [index, code] of languages.entries())
      all[tokens.firstLanguage + index] = `<|${code === 'he' ? 'iw' : code}|>`;
  }
  return all;
};

t.test('the token tables', async (t) => {
  for (const { name, recogniser } of speechModels) {
    const model = recogniser!;
    const write = (tokens: readonly unknown[]): string =>
      model.vocabulary.endsWith('.json') ? JSON.stringify(tokens) : `${tokens.join('\n')}\n`;
    const right = vocabularyOf(model);
    const tokens = whisperTokens(write(right), model);
    t.equal(tokens.length, model.tokens.end, `${name}: control tokens are left out`);
    t.strictSame(
      tokens.slice(0, 4).map((bytes) => Buffer.from(bytes).toString()),
      ['A', ' the', '\n', 'é'],
    );
    const replaced = (id: number, token: string): string => write(right.toSpliced(id, 1, token));
    t.throws(() => whisperTokens(write(right.slice(1)), model), /tokens instead of/);
    t.throws(() => whisperTokens(write([]), model), /tokens instead of/);
    t.throws(() => whisperTokens(replaced(0, '漢'), model), /token 0 holds/);
    const { end, noSpeech, noTimestamps, start, transcribe, firstLanguage } = model.tokens;
    const lastLanguage = firstLanguage === null ? null : firstLanguage + model.languages.length - 1;
    for (const id of [end, start, noSpeech, noTimestamps, transcribe, firstLanguage, lastLanguage])
      if (id !== null)
        t.throws(() => whisperTokens(replaced(id, '<|other|>'), model), /is not <\|/, `${name} ${id}`);
  }
  const turbo = findModel('whisper-large-v3-turbo').recogniser!;
  t.throws(() => whisperTokens('{"a": 1}', turbo), /0 tokens instead of 51866/);
});

t.test(
  'chooses the data folder: the setting, for root a traversable folder, otherwise the checkout',
  async (t) => {
    const given = loadSettings({ COCHLEA_DATA_DIR: '/srv/cochlea' }).values;
    const none = loadSettings({}).values;
    t.equal(dataDirectory(given, 0), '/srv/cochlea');
    t.equal(dataDirectory(given, 1000), '/srv/cochlea');
    t.equal(dataDirectory(none, 1000), join(packageDirectory(), '.cochlea'));
    t.match(dataDirectory(none, 0), /^\/var\/lib\/cochlea\/[0-9a-f]{12}$/);
  },
);

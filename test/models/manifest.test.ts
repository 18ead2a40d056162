/** Tests the models that this product names, and their locations. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { loadSettings } from '../../src/config/load-settings.js';
import { dataDirectory, packageDirectory } from '../../src/config/process/data-dir.js';
import { findModel } from '../../src/models/directory.js';
import { manifest, manifestSchema } from '../../src/models/manifest.js';
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

t.test('the files of a speech model include all that it names', async (t) => {
  const { recogniser, files } = findModel('whisper-tiny.en');
  const names = files.map(({ name }) => name);
  const { encoder, decoders, vocabulary } = recogniser!;
  for (const name of [encoder, vocabulary, ...decoders.map(({ graph }) => graph)])
    t.ok(names.includes(name), name);
  const sizes = decoders.map(({ texts }) => texts);
  t.equal(sizes[0], 1);
  t.strictSame(
    sizes,
    [...sizes].sort((one, other) => one - other),
  );
});

t.test('parses the token table', async (t) => {
  const vocabulary = [
    ...Array.from({ length: 50_256 }, (_, id) => ['A', 'Ġthe', 'Ċ', 'Ã©'][id % 4]!),
    '<|endoftext|>',
    'x',
  ];
  const tokens = whisperTokens(vocabulary.join('\n'));
  t.equal(tokens.length, 50_256, 'control tokens are left out');
  t.strictSame(
    tokens.slice(0, 4).map((bytes) => Buffer.from(bytes).toString()),
    ['A', ' the', '\n', 'é'],
  );
  t.throws(() => whisperTokens('a\nb\n'), /not an English Whisper vocabulary/);
  t.throws(() => whisperTokens(['漢', ...vocabulary.slice(1)].join('\n')), /token 0/);
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

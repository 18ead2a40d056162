/** Compares files on disk with the manifest. */
import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { ensureModel } from '../../src/models/ensure.js';
import { listModels } from '../../src/models/list.js';
import { requireModel, verifyModel } from '../../src/models/verify.js';
import { scratch, sha256, toyModel } from './toy.js';

const content = randomBytes(4096);
const models = toyModel({ 'weights.bin': { content, sources: [{ kind: 'shipped', path: 'graphs/none' }] } });

const place = (t: Test, bytes: Buffer = content): { directory: string; path: string } => {
  const directory = scratch(t);
  mkdirSync(join(directory, 'toy'));
  const path = join(directory, 'toy', 'weights.bin');
  writeFileSync(path, bytes);
  return { directory, path };
};

const stateOf = async (directory: string): Promise<string> =>
  (await verifyModel('toy', directory, { models }))[0]!.state;

t.test('reports files as verified, corrupt or missing', async (t) => {
  t.equal(await stateOf(place(t).directory), 'verified');
  t.equal(await stateOf(place(t, randomBytes(content.length)).directory), 'corrupt', 'other bytes');
  t.equal(await stateOf(place(t, content.subarray(1)).directory), 'corrupt', 'shorter');
  t.equal(await stateOf(scratch(t)), 'missing');
});

t.test('reads a verified file again only after a change', async (t) => {
  const { directory, path } = place(t);
  t.equal(await stateOf(directory), 'verified');
  const stamps = join(directory, 'toy', '.verified.json');
  const stamped = JSON.parse(readFileSync(stamps, 'utf8')) as Record<string, { sha256: string }>;
  t.equal(stamped['weights.bin']!.sha256, sha256(content));
  stamped['weights.bin']!.sha256 = sha256(Buffer.from('else'));
  writeFileSync(stamps, JSON.stringify(stamped));
  t.equal(await stateOf(directory), 'corrupt', 'the stamp is believed');

  const { mtime, atime } = lstatSync(path);
  writeFileSync(path, content);
  utimesSync(path, atime, mtime);
  t.equal(await stateOf(directory), 'verified', 'a rewritten file is read, even under its old time');
  writeFileSync(path, randomBytes(content.length));
  utimesSync(path, atime, mtime);
  t.equal(await stateOf(directory), 'corrupt', 'and so are other bytes');
});

t.test('ignores invalid stamps', async (t) => {
  const { directory } = place(t);
  for (const text of ['', '[]', '{"weights.bin":1}', 'null']) {
    writeFileSync(join(directory, 'toy', '.verified.json'), text);
    t.equal(await stateOf(directory), 'verified', JSON.stringify(text));
  }
});

t.test('replaces a symlink by a real file', async (t) => {
  const { directory, path } = place(t);
  const operator = scratch(t);
  writeFileSync(join(operator, 'weights.bin'), content);
  rmSync(path);
  symlinkSync(join(operator, 'weights.bin'), path);
  t.equal(await stateOf(directory), 'missing');
  await ensureModel('toy', { directory, operatorDirectory: operator, models });
  t.ok(lstatSync(path).isFile());
  t.ok(readFileSync(path).equals(content));
});

t.test("uses the operator's folder, by model or flat, and skips a wrong file there", async (t) => {
  for (const inside of ['toy/weights.bin', 'weights.bin']) {
    const operator = scratch(t);
    mkdirSync(join(operator, 'toy'));
    writeFileSync(join(operator, inside), content);
    const { files } = await ensureModel('toy', {
      directory: scratch(t),
      operatorDirectory: operator,
      models,
    });
    t.ok(readFileSync(files['weights.bin']!).equals(content), inside);
  }
  const operator = scratch(t);
  writeFileSync(join(operator, 'weights.bin'), randomBytes(content.length));
  await t.rejects(ensureModel('toy', { directory: scratch(t), operatorDirectory: operator, models }), {
    code: 'model_missing',
    details: { sources: /wrong SHA-256/ },
  });
});

t.test('reports that no source could be tried', async (t) => {
  const elsewhere = toyModel({
    'weights.bin': { content, sources: [{ kind: 'home', url: 'http://127.0.0.1:9/w' }] },
  });
  await t.rejects(ensureModel('toy', { directory: scratch(t), models: elsewhere, localOnly: true }), {
    code: 'model_missing',
    details: { sources: 'none' },
  });
});

t.test('requireModel refuses missing or wrong files', async (t) => {
  t.match(await requireModel('toy', place(t).directory, models), { name: 'toy' });
  await t.rejects(requireModel('toy', scratch(t), models), { code: 'model_missing' });
  await t.rejects(requireModel('toy', place(t, randomBytes(10)).directory, models), {
    code: 'model_corrupt',
  });
  await t.rejects(requireModel('nonesuch', scratch(t), models), {
    code: 'model_unknown',
    details: { name: 'nonesuch', known: 'toy' },
  });
});

t.test("listModels reports the worst state of a model's files", async (t) => {
  const [whole] = await listModels(place(t).directory, models);
  t.match(whole, { name: 'toy', state: 'verified', bytes: content.length });
  const [none] = await listModels(scratch(t), models);
  t.match(none, { state: 'missing', files: [{ name: 'weights.bin', state: 'missing' }] });
});

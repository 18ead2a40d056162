/** Tests which speech models of the settings count as present. */
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { loadSettings } from '../../src/config/load-settings.js';
import { InstalledModels } from '../../src/models/installed.js';
import { manifest } from '../../src/models/manifest/manifest.js';
import { scratch, toyModel } from './toy.js';

const [toy] = toyModel({
  a: { content: Buffer.from('four'), sources: [] },
  b: { content: Buffer.from('x'), sources: [] },
});
const multilingual = manifest.find(({ name }) => name === 'whisper-base')!;
const models = [
  { ...toy!, recogniser: multilingual.recogniser },
  manifest.find(({ name }) => name === 'whisper-tiny.en')!,
];

t.test('a further model counts as soon as all its files have their size', async (t) => {
  const folder = scratch(t);
  const installed = new InstalledModels(['whisper-tiny.en', 'toy', 'unknown'], folder, models);
  const state = (): unknown => [installed.present(), installed.languages().length];
  t.strictSame(state(), [['whisper-tiny.en'], 1], 'the first always counts');
  mkdirSync(join(folder, 'toy'));
  writeFileSync(join(folder, 'toy', 'a'), 'four');
  t.strictSame(state(), [['whisper-tiny.en'], 1], 'one file is missing');
  symlinkSync(join(folder, 'toy', 'a'), join(folder, 'toy', 'b'));
  t.strictSame(state(), [['whisper-tiny.en'], 1], 'a link is no file');
  rmSync(join(folder, 'toy', 'b'));
  writeFileSync(join(folder, 'toy', 'b'), 'xy');
  t.strictSame(state(), [['whisper-tiny.en'], 1], 'another size');
  writeFileSync(join(folder, 'toy', 'b'), 'y');
  t.strictSame(state(), [['whisper-tiny.en', 'toy'], 99]);
});

t.test('the version of a model changes with its files, and is empty while they are incomplete', async (t) => {
  const folder = scratch(t);
  const installed = new InstalledModels(['toy'], folder, models);
  const write = (file: string, content: string): string => {
    // A new file replaces the old one, as after a download. So the two files have different inodes.
    writeFileSync(join(folder, 'toy', 'part'), content);
    renameSync(join(folder, 'toy', 'part'), join(folder, 'toy', file));
    return installed.version('toy');
  };
  mkdirSync(join(folder, 'toy'));
  t.equal(installed.version('toy'), '');
  t.equal(installed.version('unknown'), '');
  t.equal(write('a', 'four'), '', 'one file is missing');
  const first = write('b', 'x');
  t.not(first, '');
  t.equal(installed.version('toy'), first);
  t.equal(write('b', 'xy'), '', 'another size');
  t.not(write('b', 'y'), first);
});

t.test('a model in a folder that cannot be opened counts as missing', async (t) => {
  const folder = scratch(t);
  // Unlike a folder without permissions, a link to itself cannot be opened by root either.
  symlinkSync(join(folder, 'toy'), join(folder, 'toy'));
  const installed = new InstalledModels(['whisper-tiny.en', 'toy'], folder, models);
  t.strictSame(installed.present(), ['whisper-tiny.en']);
  rmSync(join(folder, 'toy'));
  mkdirSync(join(folder, 'toy'));
  writeFileSync(join(folder, 'toy', 'a'), 'four');
  writeFileSync(join(folder, 'toy', 'b'), 'y');
  t.strictSame(installed.present(), ['whisper-tiny.en', 'toy'], 'found later');
});

t.test('parses the list of models', async (t) => {
  const parse = (TRANSCRIBER_MODELS?: string) =>
    loadSettings({ TRANSCRIBER_MODELS }).values.transcriberModels;
  t.strictSame(parse(), ['whisper-tiny.en', 'whisper-base']);
  t.strictSame(parse(' b, a,b '), ['b', 'a'], 'in the given order, without repetition');
  t.throws(() => parse(' , '), { code: 'setting_invalid' });
});

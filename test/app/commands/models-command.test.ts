/** `cochlea models` shows size, languages and licence of each model, and whether it is installed. It needs no network. */
import { execFile } from 'node:child_process';
import { readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import type { ModelSummary } from '../../../src/models/list.js';
import { manifest } from '../../../src/models/manifest/manifest.js';

const run = promisify(execFile);
const command = fileURLToPath(new URL('../../../src/app/cochlea.js', import.meta.url));

t.test('cochlea models', async (t) => {
  const dataDir = t.testdir();
  const env = {
    ...process.env,
    COCHLEA_DATA_DIR: dataDir,
    COCHLEA_MODELS_MIRROR: '',
    COCHLEA_MODELS_DIR: '',
  };
  const cochlea = async (...args: string[]): Promise<string> =>
    (await run(process.execPath, [command, 'models', ...args], { env })).stdout;
  const rowOf = (out: string, name: string): string[] =>
    out
      .split('\n')
      .find((line) => line.startsWith(`${name} `))!
      .split(/ {2,}/);

  const before = await cochlea('list');
  for (const { name, licence } of manifest) t.equal(rowOf(before, name)[4], licence, name);
  t.strictSame(rowOf(before, 'whisper-tiny.en').slice(1, 4), ['not installed', '76.1 MB', 'en']);
  t.strictSame(rowOf(before, 'whisper-base').slice(1, 4), ['not installed', '145.9 MB', '99 languages']);
  t.match(rowOf(before, 'whisper-large-v3-turbo')[3], '100 languages');
  t.strictSame(rowOf(before, 'silero').slice(1), [
    'not installed',
    '2.3 MB',
    '-',
    'MIT (Silero VAD v5)',
    'voice-activity',
  ]);

  const folder = join(dataDir, 'models', 'silero');
  t.equal(
    await cochlea('pull', 'silero'),
    `silero: 2.3 MB; MIT (Silero VAD v5); not installed\nsilero: ${folder}\n`,
  );
  t.equal(
    await cochlea('pull', 'silero'),
    `silero: 2.3 MB; MIT (Silero VAD v5); installed\nsilero: ${folder}\n`,
  );
  t.equal(rowOf(await cochlea('list'), 'silero')[1], 'installed');
  truncateSync(join(folder, 'silero_vad_v5.onnx'), 1);
  t.equal(rowOf(await cochlea('list'), 'silero')[1], 'damaged');

  const models = JSON.parse(await cochlea('list', '--json')) as ModelSummary[];
  t.strictSame(
    models.map(({ name, languages }) => [name, languages]),
    manifest.map(({ name, recogniser }) => [name, recogniser?.languages ?? []]),
  );
  const { stderr } = await cochlea('pull', 'whisper-huge').then(
    () => ({ stderr: '' }),
    (failed: { stderr: string }) => failed,
  );
  t.match(stderr, /No model has the name whisper-huge\. The models are .*whisper-base/);
});

t.test('pull and up refuse a wrong name in TRANSCRIBER_MODELS before they start anything', async (t) => {
  const dataDir = t.testdir();
  for (const name of ['whisper-huge', 'silero'])
    for (const words of [
      ['models', 'pull'],
      ['up', '--no-fetch'],
    ]) {
      const env = {
        ...process.env,
        COCHLEA_DATA_DIR: dataDir,
        TRANSCRIBER_MODELS: `whisper-tiny.en,${name}`,
      };
      const ended = await run(process.execPath, [command, ...words], { env }).catch(
        (failed: { code: number; stderr: string }) => failed,
      );
      t.match(ended, { code: 1, stderr: `Setting TRANSCRIBER_MODELS is not valid: ${name} is not one of` });
      t.strictSame(readdirSync(dataDir), [], `${words.join(' ')} makes nothing`);
    }
});

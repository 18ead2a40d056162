/** `cochlea up` fetches missing models unless an option disables that. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  cpSync,
  createReadStream,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { missingFurtherModels } from '../../src/app/models/fetch-further.js';
import { fetchModels } from '../../src/app/models/fetch-models.js';
import { wantedModels } from '../../src/app/models/wanted-models.js';
import { loadSettings } from '../../src/config/load-settings.js';
import type { Logger } from '../../src/log/logger.js';
import { modelsDirectory } from '../../src/models/directory.js';
import { verifyModel } from '../../src/models/verify.js';
import { scratch, serve, toyModel } from '../models/toy.js';
import { openFolder } from '../support/folder.js';
import { startService } from '../support/service.js';

const command = fileURLToPath(new URL('../../src/app/cochlea.js', import.meta.url));
const content = randomBytes(200_000);

/** Returns a logger that stores its lines. */
const keepingLog = () => {
  const lines: object[] = [];
  const keep = (fields: object, message: string) => void lines.push({ ...fields, message });
  return { lines, log: { info: keep, warn: keep } as unknown as Logger };
};

t.test('reports a failed source, uses the next one, and fetches a file once', async (t) => {
  const mirror = await serve(t, (_, answer) => void answer.writeHead(404).end());
  const asked: string[] = [];
  const home = await serve(t, (request, answer) => {
    asked.push(request.url!);
    answer.end(content);
  });
  const settings = { ...loadSettings().values, dataDir: scratch(t), modelsMirror: mirror, modelsDir: '' };
  const models = toyModel({ w: { content, sources: [{ kind: 'home', url: `${home}/w` }] } });
  const { lines, log } = keepingLog();
  await fetchModels(settings, log, { models, names: ['toy'], optional: [] });
  t.ok(readFileSync(join(settings.dataDir, 'models', 'toy', 'w')).equals(content));
  t.match(lines[0], { message: 'a source of a model failed', source: /status 404/ });
  t.match(lines.at(-1), { message: 'fetching a model', model: 'toy', file: 'w', percent: 100 });
  await fetchModels(settings, log, { models, names: ['toy'], optional: [] });
  t.same(asked, ['/w']);
});

t.test('fails with the remedy if no source has the file', async (t) => {
  const mirror = await serve(t, (_, answer) => void answer.writeHead(404).end());
  const settings = { ...loadSettings().values, dataDir: scratch(t), modelsMirror: '', modelsDir: '' };
  const models = toyModel({ w: { content, sources: [{ kind: 'home', url: `${mirror}/w` }] } });
  const failed = await fetchModels(settings, keepingLog().log, {
    models,
    names: ['toy'],
    optional: [],
  }).catch((error: unknown) => error);
  t.match(failed, {
    code: 'model_missing',
    line: /Run "cochlea models pull" \(COCHLEA_MODELS_MIRROR names a mirror\)/,
  });
});

t.test('starts an engine without an optional model and logs it', async (t) => {
  const mirror = await serve(t, (_, answer) => void answer.writeHead(404).end());
  const settings = { ...loadSettings().values, dataDir: scratch(t), modelsMirror: '', modelsDir: '' };
  const models = toyModel({ w: { content, sources: [{ kind: 'home', url: `${mirror}/w` }] } });
  const { lines, log } = keepingLog();
  await fetchModels(settings, log, { models, names: [], optional: ['toy'] });
  t.match(lines.at(-1), { message: 'an optional model is missing', model: 'toy' });
});

t.test('set-up fetches the speaker model unless nothing would use it', async (t) => {
  const settings = loadSettings({}).values;
  const table = [
    [{}, true],
    [{ speakerDiarization: 'off' }, false],
    [{ stt: 'discard' }, false],
  ] as const;
  for (const [changed, wanted] of table) {
    t.equal(wantedModels({ ...settings, ...changed }).includes('ge2e'), wanted, JSON.stringify(changed));
  }
});

t.test('a further speech model is fetched while a file of it is missing or damaged', async (t) => {
  const dataDir = scratch(t);
  const transcriberModels = ['whisper-tiny.en', 'silero', 'unknown'];
  const missing = () => missingFurtherModels({ dataDir, transcriberModels });
  t.strictSame(await missing(), ['silero', 'unknown'], 'the first is fetched before the start');
  const [from, to] = [modelsDirectory(loadSettings().values), join(dataDir, 'models')];
  cpSync(join(from, 'silero'), join(to, 'silero'), { recursive: true });
  t.strictSame(await missing(), ['unknown']);
  const { file } = (await verifyModel('silero', to))[0]!;
  const damaged = readFileSync(join(to, 'silero', file.name));
  damaged[100]! ^= 1;
  writeFileSync(join(to, 'silero', file.name), damaged);
  t.strictSame(await missing(), ['silero', 'unknown'], 'the size is right');
});

const unprivileged = 65_534;
const otherUser = process.getuid?.() === 0 ? false : 'only root can write to the folder of another user';

t.test('root fetches into the folder of another user as that user', { skip: otherUser }, async (t) => {
  const home = await serve(t, (_, answer) => void answer.end(content));
  const models = toyModel({ w: { content, sources: [{ kind: 'home', url: `${home}/w` }] } });
  const attempt = async (prepare: (folder: string, elsewhere: string) => void) => {
    const dataDir = openFolder(t);
    const elsewhere = openFolder(t);
    const folder = join(dataDir, 'models');
    mkdirSync(folder);
    chownSync(folder, unprivileged, unprivileged);
    prepare(folder, elsewhere);
    const settings = { ...loadSettings().values, dataDir, modelsMirror: '', modelsDir: '' };
    const { lines, log } = keepingLog();
    const failed = await fetchModels(settings, log, { models, names: ['toy'], optional: [] }).catch(
      (error: unknown) => error,
    );
    return { failed, lines, folder, elsewhere };
  };

  const plain = await attempt(() => undefined);
  t.equal(plain.failed, undefined);
  t.ok(readFileSync(join(plain.folder, 'toy', 'w')).equals(content));
  t.equal(statSync(join(plain.folder, 'toy', 'w')).uid, unprivileged);
  t.match(plain.lines.at(-1), { message: 'fetching a model', model: 'toy', file: 'w', percent: 100 });

  const linked = await attempt((folder, elsewhere) => {
    symlinkSync(elsewhere, join(folder, 'toy'));
    lchownSync(join(folder, 'toy'), unprivileged, unprivileged);
  });
  t.match(linked.failed, { code: 'model_missing', details: { sources: /EACCES/ } });
  t.same(readdirSync(linked.elsewhere), [], 'nothing is written behind a planted link');

  // Simulates a start that was interrupted: the files already have a new owner, but the models folder still has its old
  // owner.
  const halfGiven = await attempt((folder, elsewhere) => {
    symlinkSync(elsewhere, join(folder, 'toy'));
    lchownSync(join(folder, 'toy'), unprivileged, unprivileged);
    chownSync(folder, 0, 0);
  });
  t.match(halfGiven.failed, { code: 'model_missing' });
  t.same(readdirSync(halfGiven.elsewhere), []);
});

t.test('root writes no stamps into the folder of another user', { skip: otherUser }, async (t) => {
  const directory = openFolder(t);
  const elsewhere = openFolder(t);
  const models = toyModel({ w: { content, sources: [] } });
  writeFileSync(join(elsewhere, 'w'), content);
  chownSync(directory, unprivileged, unprivileged);
  symlinkSync(elsewhere, join(directory, 'toy'));
  lchownSync(join(directory, 'toy'), unprivileged, unprivileged);
  t.match(await verifyModel('toy', directory, { models }), [{ state: 'verified' }]);
  t.same(readdirSync(elsewhere), ['w']);
});

t.test('up fetches models before it starts anything', async (t) => {
  const present = modelsDirectory(loadSettings().values);
  const asked: string[] = [];
  const mirror = await serve(t, (request, answer) => {
    asked.push(request.url!);
    const file = createReadStream(join(present, request.url!));
    file.on('error', () => answer.writeHead(404).end());
    file.pipe(answer);
  });
  const service = await startService(t, { COCHLEA_MODELS_DIR: '', COCHLEA_MODELS_MIRROR: mirror });
  t.ok(asked.some((url) => url.startsWith('/whisper-tiny.en/')));
  t.ok(asked.some((url) => url.startsWith('/ge2e/')));
  t.match(readFileSync(service.logFile, 'utf8'), /"file":"model\.bin".*fetching a model/);
  t.equal((await fetch(`${service.base}/engine/health/ready`)).status, 200);
});

t.test('up --no-fetch sends no request and names the missing model', async (t) => {
  const asked: string[] = [];
  const mirror = await serve(t, (request, answer) => {
    asked.push(request.url!);
    answer.writeHead(404).end();
  });
  const env = {
    ...process.env,
    COCHLEA_DATA_DIR: scratch(t),
    COCHLEA_MODELS_DIR: '',
    COCHLEA_MODELS_MIRROR: mirror,
    PORT: '0',
    SIDECAR_PORT: '0',
    METRICS_PORT: '0',
  };
  const child = spawn(process.execPath, [command, 'up', '--no-fetch'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  t.equal(code, 1);
  t.match(said, /Model file model\.bin .* is missing/);
  t.same(asked, []);
});

/** `cochlea doctor` finds the faults that a start would refuse. */
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { loadSettings } from '../../../src/config/load-settings.js';
import type { Settings } from '../../../src/config/settings.js';
import { chooseListener } from '../../../src/front/choose-listener.js';
import { createLogger } from '../../../src/log/logger.js';
import { preparedFolder } from '../../support/database/prepared-database.js';
import { openFolder } from '../../support/folder.js';

const command = fileURLToPath(new URL('../../../src/app/cochlea.js', import.meta.url));

interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly finding: string;
}

/** The expected finding of the check for each translator. */
const translatorFindings: Readonly<Record<Settings['translator'], RegExp>> = {
  off: /^none/,
  llm: /^by the language model$/,
  libretranslate: /^LibreTranslate at /,
};

/** Runs `cochlea doctor` on free ports. @returns a function that returns the finding of a check by its name. */
const doctor = (settings: NodeJS.ProcessEnv): Promise<(name: string) => Finding | undefined> =>
  new Promise((resolve, reject) => {
    const ports = { PORT: '0', SIDECAR_PORT: '0', METRICS_PORT: '0' };
    const env = { ...process.env, DATABASE_URL: '', ...ports, ...settings };
    execFile(process.execPath, [command, 'doctor', '--json'], { env }, (_error, stdout, stderr) => {
      if (stdout === '') return reject(new Error(stderr));
      const findings = JSON.parse(stdout) as Finding[];
      resolve((name) => findings.find((finding) => finding.name === name));
    });
  });

t.test('names a missing data folder and does not create it', async (t) => {
  const folder = openFolder(t);
  const dataDir = join(folder, 'a', 'b');
  const of = await doctor({ COCHLEA_DATA_DIR: dataDir });
  t.match(of('data folder'), {
    ok: true,
    finding: `${dataDir} does not exist yet; the first start makes it`,
  });
  t.match(of('disk'), { ok: true, finding: ` GB free at ${folder}` });
  t.match(of('database'), { ok: true, finding: `not there yet; the first start makes it in ${dataDir}` });
  t.same(readdirSync(folder), []);
});

t.test('leaves an empty data folder empty', async (t) => {
  const dataDir = openFolder(t);
  const of = await doctor({ COCHLEA_DATA_DIR: dataDir });
  t.match(of('data folder'), { ok: true, finding: `${dataDir}, writable` });
  t.match(of('database'), { ok: true, finding: `not there yet; the first start makes it in ${dataDir}` });
  t.same(readdirSync(dataDir), []);
});

t.test('starts a stopped embedded database for the check', async (t) => {
  const of = await doctor({ COCHLEA_DATA_DIR: await preparedFolder(t) });
  t.match(of('database'), { ok: true, finding: /^PostgreSQL \d+\.\d+, embedded; / });
});

t.test('reports a data folder that cannot be created, with its setting', async (t) => {
  const file = join(openFolder(t), 'file');
  writeFileSync(file, 'x');
  for (const dataDir of [file, join(file, 'below')]) {
    const of = await doctor({ COCHLEA_DATA_DIR: dataDir });
    t.match(of('data folder'), { ok: false, finding: `COCHLEA_DATA_DIR` }, dataDir);
    t.match(of('data folder')!.finding, dataDir);
  }
});

t.test('names the listener and the reason for its choice', async (t) => {
  const dataDir = openFolder(t);
  const settings = { ...loadSettings({}).values, listener: 'auto' } as const;
  const { uws, why } = await chooseListener(settings, createLogger('doctor-test', 'silent'));
  const finding = `${uws === null ? 'ws on node:http' : uws.name}: ${why}`;
  if (uws === null) t.match(why, /^no build of uWebSockets\.js can be used here \(/);
  const auto = await doctor({ COCHLEA_DATA_DIR: dataDir, COCHLEA_LISTENER: 'auto' });
  t.match(auto('listener'), { ok: true, finding });
  const ws = await doctor({ COCHLEA_DATA_DIR: dataDir, COCHLEA_LISTENER: 'ws' });
  t.same(ws('listener'), { name: 'listener', ok: true, finding: 'ws on node:http: COCHLEA_LISTENER=ws' });
});

t.test('reports a key that other users can read, and an unknown user', async (t) => {
  const folder = openFolder(t);
  mkdirSync(join(folder, 'tls'));
  const [certificate, key] = ['cert.pem', 'key.pem'].map((name) => join(folder, 'tls', name)) as [
    string,
    string,
  ];
  writeFileSync(certificate, 'x');
  writeFileSync(key, 'x');
  chmodSync(key, 0o644);
  const of = await doctor({
    COCHLEA_DATA_DIR: folder,
    TLS_CERT: certificate,
    TLS_KEY: key,
    RUN_AS: 'no-such-user',
  });
  t.match(of('TLS'), { ok: false, finding: /TLS_KEY.*chmod o=/ });
  t.match(of('RUN_AS'), { ok: false, finding: /there is no no-such-user/ });
  t.match(of('disk'), { ok: true });
});

const asRoot = process.getuid?.() === 0 ? false : 'only root starts the product as another user';

t.test('reports NATS credentials that the user of RUN_AS cannot read', { skip: asRoot }, async (t) => {
  const folder = openFolder(t);
  const closed = openFolder(t);
  const seed = (place: string, mode: number): string => {
    const path = join(place, `${mode}.seed`);
    writeFileSync(path, 'x');
    chownSync(path, 0, Number(execFileSync('id', ['-g', 'nobody'], { encoding: 'utf8' })));
    chmodSync(path, mode);
    return path;
  };
  const [secret, shared, hidden] = [seed(folder, 0o600), seed(folder, 0o640), seed(closed, 0o640)];
  chmodSync(closed, 0o700);
  const refusal =
    /Setting NATS_(ENGINE|SIDECAR)_CREDENTIALS is not valid: user nobody cannot read .*run "chgrp \d+ /;
  for (const [engine, sidecar, runAs, refused] of [
    [secret, '', 'nobody', true],
    [shared, secret, 'nobody', true],
    [hidden, '', 'nobody', true],
    [shared, shared, 'nobody', false],
    [secret, secret, 'root', false],
  ] as const) {
    const of = await doctor({
      COCHLEA_DATA_DIR: folder,
      NATS_URL: 'nats://127.0.0.1:1',
      NATS_NAME: 'a',
      NATS_ENGINE_CREDENTIALS: engine,
      NATS_SIDECAR_CREDENTIALS: sidecar,
      RUN_AS: runAs,
    });
    const { ok, finding } = of('bus')!;
    t.equal(ok, false);
    if (refused) t.match(finding, refusal);
    // Root can read the file, and finds that it contains no seed.
    else t.match(finding, /neither an nkey seed nor a token/);
  }
});

t.test('the inference runtime records nothing about the machine', async (t) => {
  const home = openFolder(t);
  const of = await doctor({
    COCHLEA_DATA_DIR: join(home, 'data'),
    COCHLEA_CORE: 'portable',
    HOME: home,
    ORT_DISABLE_TELEMETRY: undefined,
  });
  t.match(of('core'), { ok: true, finding: /^portable/ });
  t.notOk(existsSync(join(home, '.cache', 'Microsoft')));
});

t.test('checks a configured language model', async (t) => {
  const server = createServer((request, answer) => {
    if (request.url === '/moved/models') return void answer.writeHead(302, { location: '/v1/models' }).end();
    const known = request.headers.authorization === 'Bearer right' && request.url === '/v1/models';
    answer.writeHead(known ? 200 : 401).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const settings = {
    COCHLEA_DATA_DIR: openFolder(t),
    LLM_BASE_URL: url,
    LLM_MODEL: 'm',
    LLM_API_KEY: 'right',
  };
  const finding = async (changed: NodeJS.ProcessEnv) =>
    (await doctor({ ...settings, ...changed }))('language model');
  t.match(await finding({}), { ok: true, finding: `m at ${url}, which answers` });
  t.match(await finding({ LLM_API_KEY: 'wrong' }), { ok: false, finding: /HTTP 401.*LLM_API_KEY/ });
  for (const other of ['http://127.0.0.1:9/v1', url.replace('/v1', '/moved')]) {
    t.match(await finding({ LLM_BASE_URL: other }), { ok: false, finding: /LLM_BASE_URL/ }, other);
  }
  t.match(await finding({ LLM_BASE_URL: '' }), { ok: true, finding: /built-in rules/ });
});

t.test('checks a configured translation server', async (t) => {
  let status = 200;
  const asked: string[] = [];
  const server = createServer((request, answer) => {
    asked.push(`${request.method} ${request.url}`);
    answer.writeHead(status, { location: 'http://127.0.0.1:9/' }).end('[]');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = {
    COCHLEA_DATA_DIR: openFolder(t),
    TRANSLATOR: 'libretranslate',
    LIBRETRANSLATE_URL: `${url}/`,
    LLM_STEP_MODELS: 'photo=seeing',
  };
  const found = await doctor(settings);
  t.match(found('translation'), { ok: true, finding: `LibreTranslate at ${url}/, which answers` });
  t.match(found('images'), { ok: true, finding: /not described/ }, 'there is no language model');
  t.same(asked, ['GET /languages']);
  const away = 'http://127.0.0.1:9';
  for (const [name, answered, address, finding] of [
    ['another server', 404, url, /HTTP 404/],
    ['a redirection', 302, url, /LIBRETRANSLATE_URL/],
    ['a failure', 503, url, /HTTP 503/],
    ['nobody', 200, away, /LIBRETRANSLATE_URL/],
  ] as const) {
    status = answered;
    const of = await doctor({ ...settings, LIBRETRANSLATE_URL: address });
    t.match(of('translation'), { ok: false, finding }, name);
  }
  const model = { LLM_BASE_URL: `${url}/v1`, LLM_MODEL: 'm' };
  for (const [translator, finding] of Object.entries(translatorFindings)) {
    const of = await doctor({ ...settings, ...model, TRANSLATOR: translator });
    t.match(of('translation'), { ok: true, finding }, translator);
    t.match(of('images'), { ok: true, finding: 'described by seeing' }, translator);
  }
});

t.test('refuses an origin that no browser sends', async (t) => {
  for (const origin of ['app.example.org', 'https://app.example.org/path', 'https://', 'https://a b']) {
    t.throws(() => loadSettings({ ALLOWED_ORIGINS: origin }), { code: 'setting_invalid' }, origin);
  }
  for (const origin of ['*', 'https://app.example.org', 'http://localhost:3000', 'capacitor://localhost']) {
    t.same(loadSettings({ ALLOWED_ORIGINS: origin }).values.allowedOrigins, [origin]);
  }
});

t.test('refuses CORS for every origin', async (t) => {
  for (const origins of ['*', 'https://app.example.org,*']) {
    t.throws(() => loadSettings({ CORS_ALLOWED_ORIGINS: origins }), { code: 'setting_invalid' }, origins);
  }
  const { corsOrigins } = loadSettings({ CORS_ALLOWED_ORIGINS: 'https://app.example.org' }).values;
  t.same(corsOrigins, ['https://app.example.org']);
});

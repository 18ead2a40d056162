/** Tests the listener with TLS. Without TLS, it must refuse to listen on addresses beyond this machine. */
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, readFileSync } from 'node:fs';
import { get } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { WebSocket } from 'ws';
import { encodeFrames } from '../../src/app/wearable/encode.js';
import { listenUrl } from '../../src/app/wearable/open-socket.js';
import { loadSettings } from '../../src/config/load-settings.js';
import { openFolder } from '../support/folder.js';
import { serviceOnTestDatabase } from '../support/service.js';
import { scene } from '../support/texts/speech.js';
import { until } from '../support/until.js';

const cochlea = fileURLToPath(new URL('../../src/app/cochlea.js', import.meta.url));

/** Makes a self-signed certificate for 127.0.0.1. */
const makeCertificate = (folder: string, name: string): { cert: string; key: string } => {
  const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync('openssl', ['req', ...kind, ...subject, '-out', cert, '-keyout', key], { stdio: 'ignore' });
  chmodSync(key, 0o600);
  return { cert, key };
};

const openssl = spawnSync('openssl', ['version']).error === undefined;
const skip = openssl ? false : 'openssl is not installed (Debian: apt-get install openssl)';

t.test('refuses settings that would send data unencrypted over a network', async (t) => {
  const files = { TLS_CERT: '/etc/cert.pem', TLS_KEY: '/etc/key.pem' };
  const refused: readonly (readonly [NodeJS.ProcessEnv, RegExp])[] = [
    [{ HOST: '0.0.0.0' }, /HOST .*TLS_CERT and TLS_KEY, or TLS_PROXY=true/],
    [{ HOST: '::' }, /HOST/],
    [{ HOST: '192.0.2.1' }, /HOST/],
    [{ HOST: 'api.example' }, /HOST/],
    [{ HOST: '127.0.0.1.example' }, /HOST/],
    [{ HOST: '0.0.0.0', TLS_PROXY: 'false' }, /HOST/],
    [{ TLS_CERT: '/etc/cert.pem' }, /TLS_KEY/],
    [{ TLS_KEY: '/etc/key.pem' }, /TLS_CERT/],
    [{ SIDECAR_HOST: '0.0.0.0' }, /SIDECAR_HOST .*PRIVATE_NETWORK=true/],
    [{ METRICS_HOST: '10.0.0.1' }, /METRICS_HOST .*PRIVATE_NETWORK=true/],
    [{ HOST: '0.0.0.0', ...files, METRICS_HOST: '0.0.0.0' }, /METRICS_HOST/],
    [{ HOST: '0.0.0.0', ...files, AUTH_MODE: 'uid' }, /AUTH_MODE/],
  ];
  for (const [environment, message] of refused) {
    t.throws(
      () => loadSettings(environment),
      { code: 'setting_invalid', message },
      JSON.stringify(environment),
    );
  }
  const accepted: readonly NodeJS.ProcessEnv[] = [
    {},
    { HOST: 'localhost' },
    { HOST: '127.9.9.9' },
    { HOST: '::1' },
    files,
    { HOST: '0.0.0.0', ...files },
    { HOST: '::', TLS_PROXY: 'true' },
    { SIDECAR_HOST: '10.0.0.2', METRICS_HOST: '10.0.0.1', PRIVATE_NETWORK: 'true' },
  ];
  for (const environment of accepted) t.ok(loadSettings(environment), JSON.stringify(environment));
  const env = { ...process.env, HOST: '0.0.0.0' };
  const { status, stderr } = spawnSync(process.execPath, [cochlea, 'up'], { env, encoding: 'utf8' });
  t.equal(status, 1);
  t.match(stderr, /^Setting HOST is not valid.*TLS_PROXY=true.*\n$/, 'one line with the remedy');
});

t.test('refuses an unusable key or certificate and names its setting', { skip }, async (t) => {
  const folder = openFolder(t);
  const good = makeCertificate(folder, 'good');
  const other = makeCertificate(folder, 'other');
  const open = join(folder, 'open.key');
  copyFileSync(good.key, open);
  chmodSync(open, 0o644);
  const refused: readonly (readonly [string, string, RegExp])[] = [
    [good.cert, open, /TLS_KEY .*chmod/],
    [good.cert, other.key, /TLS_KEY .*not the key/],
    [good.cert, join(folder, 'none'), /TLS_KEY .*cannot be read/],
    [good.key, good.key, /TLS_CERT .*no certificate/],
    [join(folder, 'none'), good.key, /TLS_CERT .*cannot be read/],
  ];
  for (const [cert, key, message] of refused) {
    const env = {
      ...process.env,
      TLS_CERT: cert,
      TLS_KEY: key,
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
      COCHLEA_DATA_DIR: folder,
    };
    const { status, stderr } = spawnSync(process.execPath, [cochlea, 'engine'], { env, encoding: 'utf8' });
    t.equal(status, 1);
    t.match(stderr, message);
    const dataDir = join(folder, 'not-made');
    const whole = spawnSync(process.execPath, [cochlea, 'up'], {
      env: { ...env, DATABASE_URL: '', COCHLEA_DATA_DIR: dataDir },
      encoding: 'utf8',
    });
    t.equal(whole.status, 1);
    t.match(whole.stderr, message);
    t.notOk(existsSync(dataDir), '"up" starts nothing before the refusal');
  }
});

t.test('streams and REST over TLS', { skip }, async (t) => {
  const folder = openFolder(t);
  const { cert, key } = makeCertificate(folder, 'listener');
  const service = await serviceOnTestDatabase(t, { TLS_CERT: cert, TLS_KEY: key });
  const ca = readFileSync(cert);
  const port = Number(new URL(service.base).port);
  const base = `https://127.0.0.1:${port}`;
  const user = await service.user('user');
  const engines = service.processes('cochlea.js engine');

  await t.test('transcribes a stream', async (t) => {
    const { pcm, rate } = await scene([3]);
    const url = listenUrl({ url: base, uid: user.uid, codec: 'opus', rate: 16_000 });
    t.equal(url.protocol, 'wss:');
    let said = '';
    const socket = new WebSocket(url, { ca, headers: { authorization: `Bearer ${user.token}` } });
    socket.on('message', (message) => {
      said += message.toString();
    });
    await until(() => said.includes('"ready"'), 'the stream is ready');
    for (const { bytes } of encodeFrames({ rate, pcm }, 'opus', 16_000)) socket.send(bytes);
    await until(() => /amiable/i.test(said), 'the transcript arrives');
    socket.close();
  });

  await t.test('answers a request', async (t) => {
    const authorization = `Bearer ${await service.developerKey(user.uid)}`;
    const response = await new Promise<{ status: number; body: string }>((resolve, reject) => {
      get(`${base}/v1/dev/user/conversations`, { ca, headers: { authorization } }, async (answer) =>
        resolve({ status: answer.statusCode!, body: await text(answer) }),
      ).on('error', reject);
    });
    t.equal(response.status, 200, response.body);
  });

  await t.test(
    'bytes that are not TLS 1.2 or later get no answer and do not disturb the engine',
    async (t) => {
      const plain = (bytes: string | Buffer): Promise<string> =>
        new Promise((resolve) => {
          const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
          let answer = '';
          socket.on('data', (data) => {
            answer += data.toString('latin1');
          });
          socket.on('error', () => undefined);
          socket.on('close', () => resolve(answer));
        });
      t.notMatch(await plain('GET /engine/health/live HTTP/1.1\r\nHost: a\r\n\r\n'), /HTTP\/1/);
      for (let time = 0; time < 20; time++) await plain(randomBytes(1000));
      await t.rejects(
        new Promise((resolve, reject) => {
          const options = {
            port,
            host: '127.0.0.1',
            ca,
            maxVersion: 'TLSv1.1',
            minVersion: 'TLSv1',
          } as const;
          const old = connectTls({ ...options, ciphers: 'ALL@SECLEVEL=0' }, () => resolve(old.destroy()));
          old.on('error', reject);
        }),
        'TLS 1.1 is refused',
      );
      t.same(service.processes('cochlea.js engine'), engines, 'the engine did not restart');
    },
  );
});

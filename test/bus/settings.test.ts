/** Beyond loopback, the bus needs TLS and credentials. Credentials that others could read are refused. */
import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openBus } from '../../src/bus/open-bus.js';
import { loadSettings } from '../../src/config/load-settings.js';
import { createLogger } from '../../src/log/logger.js';
import { openFolder } from '../support/folder.js';
import { withoutNats } from '../support/servers/find-nats.js';
import { busSettings, makeCertificate, makeUser, startNats } from '../support/servers/nats.js';

const log = createLogger('bus', 'silent');
const engine = { role: 'engine', name: 'a' } as const;
const openssl = spawnSync('openssl', ['version']).error === undefined;
const skip = withoutNats || (openssl ? false : 'openssl is not installed (Debian: apt-get install openssl)');

t.test('settings that expose the bus are refused', async (t) => {
  const credentials = { NATS_NAME: 'a', NATS_ENGINE_CREDENTIALS: '/etc/engine.seed' };
  const refused: readonly (readonly [NodeJS.ProcessEnv, RegExp])[] = [
    [{ NATS_URL: 'nats://bus.example:4222', ...credentials }, /NATS_URL .*beyond loopback.*tls:\/\//],
    [{ NATS_URL: 'nats://127.0.0.1:4222,nats://10.0.0.1:4222', ...credentials }, /NATS_URL .*10\.0\.0\.1/],
    [{ NATS_URL: 'tls://bus.example:4222' }, /NATS_ENGINE_CREDENTIALS .*cochlea bus accounts/],
    [{ NATS_URL: 'tls://bus.example', NATS_ENGINE_CREDENTIALS: '/x' }, /NATS_NAME/],
    [{ NATS_URL: 'nats://127.0.0.1', NATS_NAME: 'a.b' }, /NATS_NAME/],
    [{ NATS_URL: 'tls://a:4222,nats://127.0.0.1:4222', ...credentials }, /either every address/],
    [{ NATS_URL: 'tls://user:secret@bus.example', ...credentials }, /contains credentials/],
    [{ NATS_URL: 'bus.example:4222', ...credentials }, /write tls:/],
    [{ NATS_URL: 'tls://bus.example/x', ...credentials }, /more than host and port/],
    [{ NATS_URL: Array.from({ length: 17 }, () => 'nats://127.0.0.1').join() }, /at most 16/],
    [{ MIN_DURABILITY: 'stream' }, /MIN_DURABILITY .*needs NATS_URL and SPILL_KEY/],
    [{ MIN_DURABILITY: 'stream', NATS_URL: 'nats://127.0.0.1' }, /MIN_DURABILITY .*SPILL_KEY/],
    [{ SPILL_KEY: 'short' }, /SPILL_KEY .*32 characters/],
  ];
  for (const [environment, message] of refused) {
    t.throws(
      () => loadSettings(environment),
      { code: 'setting_invalid', message },
      JSON.stringify(environment),
    );
  }
  const accepted: readonly NodeJS.ProcessEnv[] = [
    { NATS_URL: '' },
    { NATS_URL: 'nats://127.0.0.1:4222, nats://[::1]:4222,nats://localhost' },
    { NATS_URL: 'tls://bus-1.example:4222,tls://bus-2.example:4222', ...credentials },
    { NATS_URL: 'tls://bus.example', NATS_NAME: 'a', NATS_SIDECAR_CREDENTIALS: '/etc/sidecar.seed' },
    { NATS_URL: 'nats://127.0.0.1', SPILL_KEY: 'k'.repeat(32), MIN_DURABILITY: 'stream' },
  ];
  for (const environment of accepted) {
    t.doesNotThrow(() => loadSettings(environment), JSON.stringify(environment));
  }
});

const asRoot = process.getuid?.() === 0 ? false : 'only root can become another user';

t.test('credentials that this user may not read are named with the remedy', { skip: asRoot }, async (t) => {
  const { file } = makeUser(t, 'engine', 'a');
  const settings = busSettings({
    NATS_URL: 'nats://127.0.0.1:1',
    NATS_NAME: 'a',
    NATS_ENGINE_CREDENTIALS: file,
  });
  process.seteuid!(65_534);
  try {
    await t.rejects(openBus(settings, engine, log), {
      code: 'setting_invalid',
      message:
        /NATS_ENGINE_CREDENTIALS .*user of this process \(65534\) cannot read .*run "chgrp 0 .*"chmod g=r /,
    });
  } finally {
    process.seteuid!(0);
  }
});

t.test('credentials must exist, belong to the role, and be secret', async (t) => {
  const folder = openFolder(t);
  const write = (name: string, content: string, mode: number): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    chmodSync(path, mode);
    return path;
  };
  const { seed } = makeUser(t, 'engine', 'a');
  const cases: readonly [file: string, message: RegExp][] = [
    [join(folder, 'nowhere'), /NATS_ENGINE_CREDENTIALS .*cannot be used/],
    [write('open', seed, 0o604), /every user may use it/],
    [write('other', 'something else', 0o600), /neither an nkey seed nor a token/],
    [write('large', 'x'.repeat(65_537), 0o600), /is not a file of credentials/],
  ];
  for (const [file, message] of cases) {
    const settings = busSettings({
      NATS_URL: 'nats://127.0.0.1:1',
      NATS_NAME: 'a',
      NATS_ENGINE_CREDENTIALS: file,
    });
    await t.rejects(openBus(settings, engine, log), { code: 'setting_invalid', message });
  }
  const others = busSettings({
    NATS_URL: 'tls://bus.example',
    NATS_NAME: 'a',
    NATS_SIDECAR_CREDENTIALS: '/x',
  });
  await t.rejects(openBus(others, engine, log), {
    code: 'setting_invalid',
    message: /NATS_ENGINE_CREDENTIALS/,
  });
});

t.test('a server needs TLS with a certificate that is accepted', { skip }, async (t) => {
  const tls = makeCertificate(openFolder(t));
  const [safe, plain] = [await startNats(t, { tls }), await startNats(t)];
  const open = (NATS_URL: string, NATS_CA = '') => openBus(busSettings({ NATS_URL, NATS_CA }), engine, log);
  const bus = (await open(safe.url, tls.cert))!;
  t.ok(bus.connected);
  await bus.close();
  await t.rejects(open(safe.url), { code: 'bus_refused', message: /certificate/ });
  await t.rejects(open(`tls://127.0.0.1:${plain.port}`), { code: 'bus_refused', message: /tls/ });
  await t.rejects(open(safe.url, '/nowhere/ca.pem'), { code: 'bus_refused', message: /ca\.pem/ });
});

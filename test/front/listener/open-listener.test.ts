/** Tests which listener an engine opens, and the error when it cannot open one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { loadSettings } from '../../../src/config/load-settings.js';
import type { Settings } from '../../../src/config/settings.js';
import { openListener } from '../../../src/front/open-listener.js';
import { loadUws } from '../../../src/front/uws/build.js';
import { createLogger } from '../../../src/log/logger.js';

const log = createLogger('listener-test', 'silent');
const base: Settings = { ...loadSettings({}).values, host: '127.0.0.1', port: 0 };
const uws = loadUws();
const uwsLoads = typeof uws !== 'string';

t.test('opens ws everywhere and names its version', async (t) => {
  const listener = await openListener({ ...base, listener: 'ws' }, log);
  t.equal(listener.app.kind, 'ws');
  t.match(listener.app.build, /^ws \d+\.\d+\.\d+ on Node /);
  t.ok(listener.port > 0);
  listener.close();
  listener.close();
});

t.test('uws-untested accepts any build that loads, and is refused with the remedy otherwise', async (t) => {
  if (uwsLoads) {
    const listener = await openListener({ ...base, listener: 'uws-untested' }, log);
    t.match(listener.app.build, /^uWebSockets\.js \d+\.\d+\.\d+$/);
    listener.close();
    return;
  }
  for (const listener of ['uws', 'uws-untested'] as const) {
    await t.rejects(openListener({ ...base, listener }, log), {
      code: 'setting_invalid',
      details: { name: 'COCHLEA_LISTENER', why: /auto and ws select ws/ },
    });
  }
});

for (const listener of uwsLoads ? (['uws-untested', 'ws'] as const) : (['ws'] as const)) {
  t.test(`${listener}: refuses a taken port and an invalid certificate`, async (t) => {
    const first = await openListener({ ...base, listener }, log);
    t.teardown(async () => first.close());
    await t.rejects(openListener({ ...base, listener, port: first.port }, log), { code: 'port_taken' });

    const folder = mkdtempSync(join(tmpdir(), 'cochlea-listener-'));
    t.teardown(async () => rmSync(folder, { recursive: true }));
    const tlsCert = join(folder, 'cert.pem');
    const tlsKey = join(folder, 'key.pem');
    for (const file of [tlsCert, tlsKey]) writeFileSync(file, 'not a certificate');
    await t.rejects(openListener({ ...base, listener, tlsCert, tlsKey }, log), {
      code: 'setting_invalid',
      details: { name: 'TLS_CERT' },
    });
  });
}

t.test('engines share a port through ws only if Node supports it', async (t) => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const settings = { ...base, listener: 'ws', engineProcesses: 2 } as const;
  if (major < 22 || (major === 22 && minor < 12)) {
    await t.rejects(openListener(settings, log), {
      code: 'setting_invalid',
      details: { name: 'ENGINE_PROCESSES' },
    });
    return;
  }
  const first = await openListener(settings, log);
  const second = await openListener({ ...settings, port: first.port }, log);
  t.equal(second.port, first.port);
  first.close();
  second.close();
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { settingRows } from '../../../src/app/commands/settings.js';
import { sttServerCommand } from '../../../src/app/commands/stt-server.js';
import { loadSettings, settingsSample } from '../../../src/config/load-settings.js';
import { packageDirectory } from '../../../src/config/process/data-dir.js';
import { settings } from '../../../src/config/settings.js';

t.test('lists every setting with its value and source', async (t) => {
  const rows = settingRows(loadSettings({ PORT: '9000', STT_SERVICE_MODELS: 'Local, parakeet,local' }));
  t.same(
    rows.map(({ name }) => name),
    Object.values(settings).map(({ env }) => env),
  );
  const row = (name: string) => rows.find((candidate) => candidate.name === name);
  t.match(row('PORT'), { value: 9000, origin: 'environment' });
  t.match(row('HOST'), { value: '127.0.0.1', origin: 'default' });
  t.match(row('STT_SERVICE_MODELS'), { value: ['local', 'provider_a'], origin: 'environment' });
  t.match(row('TICK'), { unit: 'ms' });
});

t.test('the intervals of a stream are the documented ones', async (t) => {
  const { values } = loadSettings({});
  t.match(values, {
    heartbeatInterval: 10_000,
    tick: 600,
    sttModels: ['provider_b', 'provider_a', 'deepgram', 'local'],
  });
  const idle = sttServerCommand().options.find(({ long }) => long === '--idle');
  t.equal(idle?.defaultValue, 90, 'seconds after which a custom transcription service closes');
});

t.test('masks secrets', async (t) => {
  const printed = JSON.stringify(settingRows(loadSettings({ DATABASE_URL: 'postgres://u:hunter2@db/x' })));
  t.notMatch(printed, /hunter2/);
  t.match(printed, /\*\*\*\*/);
});

t.test('refuses the address of another kind of database', async (t) => {
  for (const address of ['notaurl', 'mysql://u:p@db/x']) {
    t.throws(() => loadSettings({ DATABASE_URL: address }), { code: 'setting_invalid' }, address);
  }
  for (const address of ['postgres://u:p@db/x', 'postgresql:///x?host=/run/postgresql']) {
    t.equal(loadSettings({ DATABASE_URL: address }).values.databaseUrl, address);
  }
});

t.test('a former name of a setting is refused with the present name', async (t) => {
  const names = [
    ['RETAINED_AUDIO_BUCKET', 'BUCKET_URL'],
    ['RETAINED_AUDIO_REGION', 'BUCKET_REGION'],
    ['RETAINED_AUDIO_ACCESS_KEY', 'BUCKET_ACCESS_KEY'],
    ['RETAINED_AUDIO_SECRET_KEY', 'BUCKET_SECRET_KEY'],
  ] as const;
  for (const [former, present] of names) {
    const message = new RegExp(`${former} .*${present}`);
    t.throws(() => loadSettings({ [former]: 'x' }), { code: 'setting_invalid', message }, former);
    t.doesNotThrow(() => loadSettings({ [former]: '' }), `${former} without a value`);
  }
});

t.test('the shipped sample equals the settings table', async (t) => {
  const shipped = readFileSync(join(packageDirectory(), 'deploy', 'cochlea.env.sample'), 'utf8');
  t.equal(shipped, settingsSample(), 'remake with: cochlea settings --sample > deploy/cochlea.env.sample');
});

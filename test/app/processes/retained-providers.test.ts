/** Retained audio is transcribed even if the policy lists only network providers. */
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openRetainedWork } from '../../../src/app/services/retained-work.js';
import { loadSettings } from '../../../src/config/load-settings.js';
import { createUser } from '../../../src/identity/users.js';
import { startPipeline } from '../../../src/pipeline/pipeline.js';

import { log, retain } from '../../pipeline/retained-support.js';
import { testDatabase } from '../../support/database/database.js';
import { readStored } from '../../support/database/read-stored.js';
import { startStub } from '../../support/stub-provider/start.js';
import { until } from '../../support/until.js';

const module = new URL('../../support/stub-provider/module.js', import.meta.url);

t.test('transcribes retained audio with a policy without a local provider', async (t) => {
  const { url, sql } = await testDatabase(t);
  await createUser(sql, { uid: 'ann' });
  const stub = await startStub();
  t.teardown(() => stub.stop());
  process.env.COCHLEA_TEST_PROVIDERS = module.pathname;
  process.env.COCHLEA_STUBS = `provider_b=${stub.socket}`;
  t.teardown(() => {
    delete process.env.COCHLEA_TEST_PROVIDERS;
    delete process.env.COCHLEA_STUBS;
  });
  const dataDir = t.testdir();
  const { values: settings } = loadSettings({
    STT_SERVICE_MODELS: 'provider_b',
    COCHLEA_DATA_DIR: dataDir,
    SWEEP_INTERVAL: '200',
    STT_RETAINED_PACE: '20',
  });
  const retained = await openRetainedWork({ ...settings, dataDir }, log);
  t.ok(retained, 'transcribes');
  t.equal(retained?.local, null, 'and joins no transcription service');
  t.teardown(() => retained?.close());
  const conversation = randomUUID();
  const directory = join(dataDir, 'audio');
  await retain(directory, { conversation, from: Date.now() - 3_600_000 });
  const pipeline = startPipeline({ settings, databaseUrl: url, log, retained });
  t.teardown(() => pipeline.close(5000));
  const stored = await until(() => readStored(sql, conversation), 'the conversation is made');
  t.match(stored.transcript_segments, [{ text: /^Voice -?\d+ says word 1\./, stt_provider: 'provider_b' }]);
  // The file with the folder's id remains.
  await until(() => readdirSync(directory).join() === 'place', 'the audio is removed');
});

t.test('transcribes nothing if no provider of the policy is configured', async (t) => {
  for (const environment of [{ STT_SERVICE_MODELS: 'provider_a,deepgram' }, { COCHLEA_STT: 'discard' }]) {
    const { values: settings } = loadSettings({ ...environment, COCHLEA_DATA_DIR: t.testdir() });
    t.equal(await openRetainedWork(settings, log), null);
  }
});

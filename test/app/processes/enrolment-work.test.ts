/** Tests the worker that makes voice profiles: a recording that fails must not affect other recordings. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { openEnrolmentWork } from '../../../src/app/services/enrolment-work.js';
import { loadSettings } from '../../../src/config/load-settings.js';
import { createLogger } from '../../../src/log/logger.js';
import { scene } from '../../support/texts/speech.js';

t.test('a failed recording leaves no thread behind', { timeout: 240_000 }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cochlea-enrolment-'));
  const { values: settings } = loadSettings({ ...process.env, COCHLEA_DATA_DIR: folder });
  const work = openEnrolmentWork(settings, createLogger('test', 'silent'));
  t.teardown(async () => {
    await work.close();
    await rm(folder, { recursive: true, force: true });
  });
  let threads = 0;
  const count = (): void => {
    threads++;
  };
  process.on('worker', count);
  t.teardown(() => process.off('worker', count));
  const { pcm } = await scene([0, 1], 300);
  // PCM in shared memory, which cannot be transferred to a thread.
  const broken = () => new Int16Array(new SharedArrayBuffer(2 * pcm.length));
  const made = await Promise.allSettled([pcm.slice(), broken(), pcm.slice(), broken()].map(work.embed));
  t.same(
    made.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
  );
  const { speech, embeddings } = await work.embed(pcm.slice());
  t.ok(speech > work.leastSpeech);
  t.equal(embeddings.length, 2);
  t.equal(threads, 1, 'the thread with the model serves them all');
});

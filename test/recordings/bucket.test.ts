/** Recordings are uploaded to a bucket and transcribed from it. Uploads are refused while the bucket is unavailable. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { loadSettings } from '../../src/config/load-settings.js';
import { CochleaError } from '../../src/errors/cochlea-error.js';
import { createLogger } from '../../src/log/logger.js';
import { type MoveEarlier, nextRecording, removeOrphans } from '../../src/pipeline/words/recordings.js';
import { removeAccounts } from '../../src/pipeline/words/removal.js';
import { UploadReceiver } from '../../src/service/recordings/receive-upload.js';
import { moveRecordings, openRecordingObjects } from '../../src/service/recordings/recording-objects.js';
import { queueUpload } from '../../src/service/recordings/uploads.js';
import { beginDeletion } from '../../src/store/accounts/account-deletions.js';
import { neededFiles } from '../../src/store/conversations/recordings.js';
import { bucketObjects } from '../../src/stt/storage/bucket-objects.js';
import { createRetainedCipher } from '../../src/stt/storage/cipher.js';
import { startApi } from '../sidecar/support.js';
import { startMoto, withoutMoto } from '../support/moto.js';
import { startBucketProxy } from '../support/servers/bucket-proxy.js';
import { frameFile, recordingName } from './frame-files.js';

/** Minimum age of orphans in ms. It is negative, so every file counts as old, whatever the bucket's clock shows. */
const anyAge = -960_000;

t.test('recordings in a bucket', { skip: withoutMoto, timeout: 240_000 }, async (t) => {
  const api = await startApi(t);
  const { bucket, accessKey, secretKey } = await startMoto(t);
  const proxy = await startBucketProxy(t, bucket);
  const settings = loadSettings({
    BUCKET_URL: proxy.url,
    BUCKET_ACCESS_KEY: accessKey,
    BUCKET_SECRET_KEY: secretKey,
  }).values;
  const log = createLogger('test', 'silent');
  const objects = bucketObjects(settings, 'recordings', 2000);
  const files = openRecordingObjects(objects, createRetainedCipher(randomBytes(32)), log);
  const { uid } = await api.person();
  const context = { ...api.recordings, files, sql: api.sql, log, signal: new AbortController().signal };
  const received = async (hoursAgo: number) => {
    const receiver = new UploadReceiver(files, {
      ofFile: 14_400_000,
      ofUpload: 14_400_000,
      beyond: new CochleaError('rate_limited'),
    });
    const file = frameFile(Array.from({ length: 600 }, () => randomBytes(640)));
    const name = recordingName(Date.now() - hoursAgo * 3_600_000, 'pcm16_16000_1');
    await receiver.take(
      name,
      (async function* () {
        yield file;
      })(),
    );
    return receiver;
  };
  const upload = async (hoursAgo: number) =>
    queueUpload(api.sql, { files }, uid, null, (await received(hoursAgo)).result(), Date.now());
  const rows = () =>
    api.sql<{ file: string; place: string; state: string; attempts: number }[]>`
      select file, place, state, attempts from recordings where uid = ${uid} order by started_at desc`;

  await t.test('are refused while the bucket is unavailable, and nothing is stored', async (t) => {
    proxy.away = true;
    await t.rejects(upload(1), { code: 'storage_unavailable' });
    proxy.away = false;
    t.same(await rows(), []);
    t.same(await objects.list(), []);
  });

  await t.test('wait while the bucket is unavailable, without counting an attempt', async (t) => {
    await upload(1);
    proxy.away = true;
    t.equal(await nextRecording(context), 'postponed');
    t.match(await rows(), [{ state: 'waiting', attempts: 0, place: objects.place }]);
    proxy.away = false;
    await api.sql`update recordings set due_at = now()`;
    let heard = 0;
    const transcription = {
      transcribe: async () => ({
        outcome: 'success' as const,
        text: '',
        provider: 'local',
        waited: 0,
        decoded: ++heard,
      }),
      close: async () => undefined,
    };
    t.match(await nextRecording({ ...context, transcription }), /silent|transcribed/);
    t.same(await objects.list(), [], 'the file is removed');
  });

  await t.test('are removed with their account, also if the bucket was unavailable', async (t) => {
    await upload(2);
    await upload(3);
    await api.sql`delete from recordings where uid = ${uid}`;
    proxy.away = true;
    await t.rejects(removeOrphans(context, anyAge), { code: 'retained_store_failed' });
    proxy.away = false;
    await removeOrphans(context, -840_000);
    t.equal((await objects.list()).length, 2, 'the clock of the bucket may be 15 minutes behind');
    await removeOrphans(context, anyAge);
    t.same(await objects.list(), []);
  });

  await t.test('are not stored if the account was deleted during the upload', async (t) => {
    const { uid: leaving } = await api.person();
    const receiver = await received(5);
    await beginDeletion(api.sql, leaving);
    await removeAccounts(api.sql, log);
    t.equal((await objects.list()).length, 1);
    await t.rejects(queueUpload(api.sql, { files }, leaving, null, receiver.result(), Date.now()), {
      code: 'account_deletion_in_progress',
    });
    t.same(await objects.list(), [], 'the file is removed');
  });

  await t.test('are moved from the data folder when a bucket is set', async (t) => {
    const folder = join(t.testdir(), 'recordings');
    await mkdir(folder);
    await upload(4);
    const [{ file } = { file: '' }] = await rows();
    await api.sql`update recordings set place = 'a folder' where file = ${file}`;
    const content = randomBytes(70_000);
    const [stored] = await objects.list();
    await objects.remove(stored!.name);
    await writeFile(join(folder, stored!.name), content);
    const unneeded = `${randomUUID()}.bin`;
    await writeFile(join(folder, unneeded), content);
    // Files that a deleted account and a killed upload have left behind.
    const old = [`${randomUUID()}.bin`, `${randomUUID()}.aes`, `${randomUUID()}.part`];
    for (const name of [...old, 'place']) {
      await writeFile(join(folder, name), content);
      await utimes(join(folder, name), 1, 1);
    }
    const moveEarlier: MoveEarlier = (needed, moved, before) =>
      moveRecordings(folder, objects, needed, moved, before);
    await removeOrphans({ ...context, moveEarlier }, 60_000);
    t.match(await rows(), [{ file, place: objects.place }]);
    t.match(await objects.list(), [{ name: stored!.name, size: content.length }]);
    t.same(
      new Set(await readdir(folder)),
      new Set([unneeded, 'place']),
      'a file without a row stays while its upload may run',
    );
    t.equal((await neededFiles(api.sql, [file])).size, 1);
  });

  await t.test('that were copied from elsewhere get their place', async (t) => {
    await api.sql`update recordings set place = 'elsewhere' where uid = ${uid}`;
    await removeOrphans(context, anyAge);
    t.match(await rows(), [{ place: objects.place }]);
  });
});

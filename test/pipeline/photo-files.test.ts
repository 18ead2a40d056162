/** Image files without a conversation are removed, and no others. Tests a folder, and a bucket with retained audio. */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { loadSettings } from '../../src/config/load-settings.js';
import { createLogger } from '../../src/log/logger.js';
import { openPhotoFiles, type PhotoFiles } from '../../src/photos/photo-files.js';
import {
  findPhotos,
  removeAbandonedPhotos,
  removePhotoFiles,
} from '../../src/pipeline/photos/photo-files.js';
import type { Sql } from '../../src/store/client/database.js';
import { storePhoto } from '../../src/store/conversations/photos.js';
import { beginConversation } from '../../src/store/live/leases.js';
import { bucketFiles } from '../../src/stt/storage/bucket.js';
import { testDatabase } from '../support/database/database.js';
import { startMoto, withoutMoto } from '../support/moto.js';

const gif = Buffer.from('GIF89a\x01\0\x01\0', 'latin1');
const bounds = { conversation: 100, user: 1e6, total: 1e9 };
const hour = 3_600_000;
const log = createLogger('test', 'silent');

const space = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ bytes: number }[]>`select bytes::double precision as bytes from photo_space`;
  return row!.bytes;
};

/** Stores photos of a new conversation. */
const storedPhotos = async (t: Test, sql: Sql, files: PhotoFiles, count: number) => {
  const uid = randomUUID();
  const conversation = randomUUID();
  const nothing = { deviceId: null, clientPlatform: null, usesCustomStt: false };
  const begun = { ...nothing, id: conversation, uid, source: 'phone', language: 'en', timeout: 120 };
  await beginConversation(sql, { ...begun, createdAt: Date.now() }, 'e/0');
  const stored: { id: string; file: string }[] = [];
  for (let number = 0; number < count; number++) {
    const id = randomUUID();
    const file = await files.write({ id, uid, at: Date.now() }, gif);
    const photo = { id, place: files.place, file, contentType: 'image/gif', bytes: gif.length };
    t.equal(await storePhoto(sql, { id: conversation, epoch: 1 }, photo, bounds, Date.now()), 'stored');
    stored.push({ id, file });
  }
  return stored;
};

/**
 * Checks that the search removes only abandoned files. The other files belong to an old photo, a new photo, and a photo
 * that is still being stored.
 */
const search = async (t: Test, sql: Sql, files: PhotoFiles): Promise<void> => {
  const now = Date.now();
  const uid = randomUUID();
  const conversation = randomUUID();
  const nothing = { deviceId: null, clientPlatform: null, usesCustomStt: false };
  const begun = { ...nothing, id: conversation, uid, source: 'phone', language: 'en', timeout: 120 };
  await beginConversation(sql, { ...begun, createdAt: now }, 'e/0');
  const before = await space(sql);
  const written = (id: string, age: number) => files.write({ id, uid, at: now - age }, gif);
  const known = async (age: number) => {
    const id = randomUUID();
    const file = await written(id, age);
    const photo = { id, place: files.place, file, contentType: 'image/gif', bytes: gif.length };
    t.equal(await storePhoto(sql, { id: conversation, epoch: 1 }, photo, bounds, now), 'stored');
    return { id, file };
  };
  const old = await known(2 * hour);
  const young = await known(0);
  const deleted = await known(2 * hour);
  const beingStored = await written(randomUUID(), hour - 10_000);
  // Writes more files than one statement checks.
  for (let file = 0; file < 120; file++) await written(randomUUID(), hour + 1 + file);
  await sql`delete from photos where id = ${deleted.id}`;

  await removeAbandonedPhotos({ sql, files, log }, now);
  t.same((await files.list()).sort(), [old.file, young.file, beingStored].sort());
  t.equal(await space(sql), before + 2 * gif.length, 'the space of a deleted one is free');
  await removePhotoFiles({ sql, files, log });
  await removeAbandonedPhotos({ sql, files, log }, now);
  t.equal(await space(sql), before + 2 * gif.length, 'once');
  t.equal((await files.list()).length, 3);
};

t.test('files without a row for an hour', { timeout: 120_000 }, async (t) => {
  const { sql } = await testDatabase(t);

  t.test('are removed from a folder, and other files stay', async (t) => {
    const dataDir = t.testdir();
    const files = await openPhotoFiles({ ...loadSettings({}).values, dataDir });
    await mkdir(join(dataDir, 'photos'), { recursive: true });
    await writeFile(join(dataDir, 'photos', '1000000000000_notes.txt'), 'mine');
    await search(t, sql, files);
    t.ok((await readdir(join(dataDir, 'photos'))).includes('1000000000000_notes.txt'));
  });

  t.test('found in a folder that had another name', async (t) => {
    const folder = t.testdir({ first: {} });
    const dataDir = join(folder, 'first');
    const values = loadSettings({}).values;
    const files = await openPhotoFiles({ ...values, dataDir });
    t.equal((await openPhotoFiles({ ...values, dataDir })).place, files.place, 'the folder keeps its name');
    const moved = join(folder, 'moved');
    const [row] = await storedPhotos(t, sql, { ...files, place: `former-host:${dataDir}/photos` }, 1);
    const [gone] = await storedPhotos(t, sql, { ...files, place: `former-host:${dataDir}/photos` }, 1);
    await sql`delete from photos where id = ${gone!.id}`;
    await rename(dataDir, moved);
    const found = await openPhotoFiles({ ...values, dataDir: moved });
    t.equal(found.place, files.place, 'also at another path');
    await findPhotos({ sql, files: found, log });
    const [after] = await sql<{ place: string }[]>`select place from photos where id = ${row!.id}`;
    t.equal(after!.place, found.place);
    await removePhotoFiles({ sql, files: found, log });
    t.same(await found.list(), [row!.file], 'the file of the deleted one is removed');
  });

  t.test('moved to the bucket when one is set', { skip: withoutMoto }, async (t) => {
    const { bucket, accessKey, secretKey } = await startMoto(t);
    const dataDir = t.testdir();
    const values = { ...loadSettings({}).values, dataDir };
    const [one, other] = await storedPhotos(t, sql, await openPhotoFiles(values), 2);
    const files = await openPhotoFiles({
      ...values,
      bucketUrl: `${bucket}/set`,
      bucketAccessKey: accessKey,
      bucketSecretKey: secretKey,
    });
    await findPhotos({ sql, files, log });
    t.same((await files.list()).sort(), [one!.file, other!.file].sort());
    t.same(await files.read(one!.file), gif);
    const places = await sql`select place from photos where id = any(${[one!.id, other!.id]}::uuid[])`;
    t.ok(places.every(({ place }) => place === files.place));
    t.same(await readdir(join(dataDir, 'photos')), ['place'], 'the folder is empty');
  });

  t.test(
    'are removed from a bucket, whose retained audio is listed separately',
    { skip: withoutMoto },
    async (t) => {
      const { bucket, accessKey, secretKey } = await startMoto(t);
      const settings = {
        ...loadSettings({}).values,
        bucketUrl: bucket,
        bucketAccessKey: accessKey,
        bucketSecretKey: secretKey,
      };
      const retained = bucketFiles(settings);
      await retained.write('speech.ogg', Buffer.from('speech'));
      await search(t, sql, await openPhotoFiles(settings));
      t.match(await retained.list(), [{ name: 'speech.ogg', size: 6 }]);
      const inFolder = bucketFiles({ ...settings, bucketUrl: `${bucket}/audio` });
      await inFolder.write('other.ogg', Buffer.from('speech'));
      await search(t, sql, await openPhotoFiles({ ...settings, bucketUrl: `${bucket}/audio` }));
      t.match(await inFolder.list(), [{ name: 'other.ogg', size: 6 }]);
      t.match(await retained.list(), [{ name: 'speech.ogg', size: 6 }]);
    },
  );
});

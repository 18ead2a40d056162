/**
 * Tests rows of images: their limits, how they keep a conversation, and that every deletion queues their files for
 * removal.
 */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import type { Sql } from '../../../src/store/client/database.js';
import { removeConversation } from '../../../src/store/conversations/conversations.js';
import { claimFinished, deleteEmpty } from '../../../src/store/conversations/finished-conversations.js';
import {
  photoFile,
  photoRemovals,
  photosOf,
  photosRemoved,
  storePhoto,
  unknownPhotos,
} from '../../../src/store/conversations/photos.js';
import { sweepOrphans } from '../../../src/store/jobs/sweep.js';
import { beginConversation, endConversation } from '../../../src/store/live/leases.js';
import { testDatabase } from '../../support/database/database.js';

const bounds = { conversation: 3, user: 1000, total: 2000 };
const place = 'here';

const begin = async (sql: Sql, uid: string): Promise<string> => {
  const id = randomUUID();
  const nothing = { deviceId: null, clientPlatform: null, usesCustomStt: false };
  const begun = { ...nothing, id, uid, source: 'phone', language: 'en', timeout: 120, createdAt: Date.now() };
  await beginConversation(sql, begun, null);
  return id;
};

const photoOf = (bytes = 100) => {
  const id = randomUUID();
  return { id, place, file: `${id}.photo`, contentType: 'image/png', bytes };
};

const store = (sql: Sql, id: string, bytes?: number, epoch = 1) =>
  storePhoto(sql, { id, epoch }, photoOf(bytes), bounds, Date.now());

const space = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ bytes: number }[]>`select bytes::double precision as bytes from photo_space`;
  return row!.bytes;
};

const exists = async (sql: Sql, id: string): Promise<boolean> =>
  (await sql`select 1 from conversations where id = ${id}`).length > 0;

t.test('images of conversations', async (t) => {
  const { sql } = await testDatabase(t);

  t.test('limits the images of a conversation, of a user and in total', async (t) => {
    const [one, two] = [await begin(sql, 'ann'), await begin(sql, 'ann')];
    for (let photo = 0; photo < bounds.conversation; photo++) t.equal(await store(sql, one), 'stored');
    t.equal(await store(sql, one), 'full', 'limit of the conversation');
    t.equal(await store(sql, two, 701), 'full', 'limit of the user');
    t.equal(await store(sql, two, 700), 'stored');
    const other = await begin(sql, 'bob');
    t.equal(await store(sql, other, 1000), 'stored');
    t.equal(await store(sql, await begin(sql, 'cleo'), 1), 'full', 'total limit');
    t.equal(await space(sql), 2000, 'refused images occupy no space');
    t.equal(await store(sql, one, 1, 2), 'fenced', 'a row of another epoch');
    await sql`delete from conversations`;
    await photosRemoved(sql, await photoRemovals(sql, place, 100));
    t.equal(await space(sql), 0);
  });

  t.test('simultaneous images do not exceed the limit of a user', async (t) => {
    const ids = await Promise.all(['dan', 'dan', 'dan', 'dan'].map((uid) => begin(sql, uid)));
    const stored = await Promise.all(ids.map((id) => store(sql, id, 400)));
    t.equal(stored.filter((outcome) => outcome === 'stored').length, 2, 'two of four fit');
    await sql`delete from conversations`;
    await photosRemoved(sql, await photoRemovals(sql, place, 100));
  });

  t.test('a conversation with images but without words is kept', async (t) => {
    const [ended, swept, claimed] = [
      await begin(sql, 'eve'),
      await begin(sql, 'eve'),
      await begin(sql, 'eve'),
    ];
    for (const id of [ended, swept, claimed]) t.equal(await store(sql, id), 'stored');
    t.equal(
      await sql.begin((transaction) => endConversation(transaction, ended, 1, Date.now())),
      'processing',
    );

    await sql`update conversations set last_speech_at = now() - interval '1 hour' where id = ${swept}`;
    const found = await sweepOrphans(sql, 0);
    t.same(found, { finished: [swept], deleted: [] });

    await sql.begin((transaction) => endConversation(transaction, claimed, 1, Date.now()));
    await deleteEmpty(sql, (await claimFinished(sql, claimed))!);
    t.ok(await exists(sql, claimed));

    const empty = await begin(sql, 'eve');
    t.equal(await sql.begin((transaction) => endConversation(transaction, empty, 1, Date.now())), 'deleted');
    t.notOk(await exists(sql, empty), 'a conversation without images is deleted');
  });

  t.test('an image is refused after the conversation has ended', async (t) => {
    const id = await begin(sql, 'fay');
    await store(sql, id);
    await sql.begin((transaction) => endConversation(transaction, id, 1, Date.now()));
    t.equal(await store(sql, id), 'fenced');
  });

  t.test(
    'images disappear with their conversation, are shown only to its user, and queue their files for removal',
    async (t) => {
      const id = await begin(sql, 'gil');
      const photo = photoOf();
      await storePhoto(sql, { id, epoch: 1 }, photo, bounds, Date.now());
      t.match(await photosOf(sql, 'gil', id), [
        { id: photo.id, content_type: 'image/png', bytes: 100, description: null },
      ]);
      t.equal(await photosOf(sql, 'hal', id), null, "another user's request");
      t.match(await photoFile(sql, photo.id), { place, file: photo.file });
      await sql.begin((transaction) => removeConversation(transaction, id));
      t.ok(await exists(sql, id), 'the row remains without content');
      t.equal(await photosOf(sql, 'gil', id), null);
      t.equal(await photoFile(sql, photo.id), null);
      t.ok((await photoRemovals(sql, place, 100)).includes(photo.file));
      t.same(await photoRemovals(sql, 'elsewhere', 100), []);
      t.same(await unknownPhotos(sql, [photo.id]), new Set([photo.id]));
      const before = await space(sql);
      await photosRemoved(sql, [photo.file]);
      await photosRemoved(sql, [photo.file]);
      t.equal(await space(sql), before - 100, 'the space is freed once');
    },
  );
});

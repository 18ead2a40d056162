/** Tests images from their chunks to a stored photo, and every failure on the way. */
import t from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { type CompleteImage, ImageAssemblies } from '../../../src/engine/images/assemblies.js';
import { HeldImages } from '../../../src/engine/images/held-images.js';
import { Harness } from '../support/harness.js';

const chunk = (id: string, index: number, total: number, data = 'AAAA') => ({
  type: 'image_chunk',
  id,
  index,
  total,
  data,
});

/** Waits until the shard has read the input and stored complete images. */
const settled = async (h: Harness): Promise<void> => {
  for (let round = 0; round < 4; round++) await h.settle();
};

const refusals = (h: Harness, slot = 0) =>
  h.events(slot, 'service_status').filter(({ status }) => status === 'message_refused');

t.test('joins chunks by their index, for any order and size', async (t) => {
  const h = new Harness();
  await h.open(0, { uid: 'ann' });
  const large = 'B'.repeat(40_000);
  for (const message of [
    chunk('a', 2, 3, 'C'.repeat(8)),
    chunk('a', 1, 3, large),
    chunk('a', 1, 3, 'X'.repeat(40_000)),
    chunk('b', 0, 1, 'DDDD'),
    chunk('a', 0, 3, 'AAAA'),
  ]) {
    h.text(0, message);
  }
  await settled(h);
  t.same(
    h.images.kept,
    [
      { uid: 'ann', base64: 'DDDD' },
      { uid: 'ann', base64: `AAAA${large}${'C'.repeat(8)}` },
    ],
    'of two chunks with one index the first counts',
  );
  const told = h.events(0, 'photo_processing');
  t.same(
    told.map(({ temp_id }) => temp_id),
    ['b', 'a'],
  );
  t.same(
    told.map(({ photo_id }) => photo_id),
    h.journal.photos.map(({ photo }) => photo.id),
    'told once they are stored',
  );
  t.equal(h.journal.photos[0]!.conversation, h.conversationId(0));
  t.equal(h.metric('images_stored_total'), 2);
  await h.tick();
  t.equal(h.metric('images_held_bytes'), 0);
});

t.test('reads JSON escapes in chunks of every size, for any JSON encoder', async (t) => {
  const writers: readonly (readonly [title: string, write: (message: object) => string])[] = [
    ['no escapes', JSON.stringify],
    ['Swift and PHP', (message) => JSON.stringify(message).replaceAll('/', '\\/')],
    ['Gson', (message) => JSON.stringify(message).replaceAll('=', '\\u003d')],
    ['.NET', (message) => JSON.stringify(message).replaceAll('+', '\\u002B')],
    [
      'every letter',
      (message) =>
        JSON.stringify(message).replace(/[a-z]/gi, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
    ],
    [
      'with white space, data first',
      (message) => JSON.stringify({ ...message, z: 1 }, ['data', 'z', ...fields], 2),
    ],
  ];
  const fields = ['type', 'id', 'index', 'total'];
  for (const [title, write] of writers) {
    for (const size of [8, 4000, 5000, 9000, 30_000]) {
      const h = new Harness();
      await h.open(0, { uid: 'ann' });
      const data = `${'a+/b'.repeat(size / 4)}+/8=`;
      // The id of this image equals the name of a different message field.
      h.text(0, write(chunk('data', 0, 2, 'AAAA')));
      h.text(0, write(chunk('data', 1, 2, data)));
      await settled(h);
      t.same(h.images.kept, [{ uid: 'ann', base64: `AAAA${data}` }], `${title}, ${size} characters`);
    }
  }
  const h = new Harness();
  await h.open(0, { uid: 'ann' });
  for (const bad of ['\\u0141AAA', '\\x41AA', '\\"AAA', '\\u00'])
    for (const rest of [4, 5000])
      h.text(0, `{"type":"image_chunk","id":"a","index":0,"total":1,"data":"${bad}${'A'.repeat(rest)}"}`);
  await settled(h);
  for (const { base64 } of h.images.kept)
    t.notMatch(base64, /^[A-Za-z0-9+/]*={0,2}$/, 'what is no base64 stays none');
  t.notOk(h.story(0).some((entry) => entry.startsWith('close')));
});

t.test('reports the reason why an image is not stored, and continues the stream', async (t) => {
  const cases: readonly {
    readonly reason: string;
    readonly limit?: number;
    readonly removed?: number;
    prepare(h: Harness): void;
  }[] = [
    { reason: 'image_invalid', prepare: (h) => (h.images.refusal = { refusal: 'image_invalid' }) },
    { reason: 'try_again', prepare: (h) => (h.images.refusal = { refusal: 'try_again' }) },
    { reason: 'no_space', removed: 1, prepare: (h) => (h.journal.photoAnswer = 'full') },
    { reason: 'try_again', removed: 1, prepare: (h) => (h.journal.photoAnswer = null) },
    { reason: 'try_again', removed: 1, prepare: (h) => (h.journal.photoAnswer = 'fenced') },
  ];
  for (const { reason, removed = 0, prepare } of cases) {
    const h = new Harness();
    await h.open(0);
    prepare(h);
    h.text(0, chunk('a', 0, 1));
    await settled(h);
    t.match(refusals(h), [{ message_type: 'image_chunk', reason, id: 'a' }], reason);
    t.same(h.events(0, 'photo_processing'), []);
    t.equal(h.images.removed.length, removed, 'no file stays');
    t.notOk(h.story(0).some((entry) => entry.startsWith('close')));
    await h.tick();
    t.equal(h.metric('images_held_bytes'), 0);
  }
});

t.test('refuses an image over the maximum size once', async (t) => {
  const h = new Harness({ settings: { maxImage: 60_000 } });
  await h.open(0);
  for (let index = 0; index < 4; index++) {
    h.text(0, chunk('a', index, 4, 'A'.repeat(40_000)));
    await settled(h);
  }
  t.match(refusals(h), [{ reason: 'image_too_large', limit: 60_000, id: 'a' }]);
  t.equal(refusals(h).length, 1);
  t.same(h.images.kept, []);
  h.text(0, chunk('a', 0, 1));
  await settled(h);
  t.equal(h.images.kept.length, 1, 'its name is free again after its last chunk');
});

t.test('limits the images in memory per user and in total', async (t) => {
  const { imagesHeldPerUser: user, imagesHeldPerShard: all } = fixedLimits;
  t.ok(all.value >= 2 * user.value, 'no user can have all of it');
  const held = new HeldImages(100, 60);
  const [ann, bob] = [held.of('ann'), held.of('bob')];
  t.ok(ann.take(60));
  t.notOk(held.of('ann').take(1), 'on all streams of a user together');
  t.ok(bob.take(40));
  t.notOk(bob.take(1));
  ann.give(60);
  t.ok(bob.take(20));
  bob.give(60);
  t.equal(held.bytes, 0);

  const h = new Harness();
  await h.open(0, { uid: 'ann' });
  h.images.held = [];
  // Each image has 500,000 characters of base64, so that its message fits into the harness's ring of 1 MB.
  const size = 500_000;
  const fitting = Math.floor(user.value / size);
  for (let image = 0; image <= fitting; image++) {
    h.text(0, chunk(`image ${image}`, 0, 1, 'A'.repeat(size)));
    await settled(h);
  }
  t.match(refusals(h), [{ reason: 'images_waiting', id: `image ${fitting}` }]);
  t.equal(refusals(h).length, 1);
  h.images.release();
  await settled(h);
  t.equal(h.images.kept.length, fitting);
  h.text(0, chunk('again', 0, 1, 'A'.repeat(size)));
  await settled(h);
  t.equal(h.images.kept.length, fitting + 1, 'there is space again');
});

t.test('drops unfinished images of the users with most memory first', async (t) => {
  const memory = new HeldImages(100, 60);
  const displaced: string[] = [];
  const assemblies = new Map<string, ImageAssemblies>();
  /** Sends one part of a two-part image. @returns whether there was memory for it. */
  const send = (uid: string, id: string, bytes: number): boolean => {
    const own =
      assemblies.get(uid) ??
      new ImageAssemblies(
        memory.of(uid),
        1000,
        () => undefined,
        (image) => displaced.push(image),
      );
    assemblies.set(uid, own);
    const taken = memory.of(uid).take(bytes);
    own.add({ id, index: 0, total: 2, data: taken ? Buffer.alloc(bytes) : null }, 0);
    return taken;
  };
  for (const id of ['eve 1', 'eve 2']) t.ok(send('eve', id, 30));
  for (const id of ['mallory 1', 'mallory 2']) t.ok(send('mallory', id, 20));
  t.ok(send('ann', 'ann 1', 25));
  t.same(displaced, ['eve 1'], 'the oldest of the user with most');
  t.notOk(send('mallory', 'mallory 3', 15), 'none gives way for one who would hold more');
  t.ok(send('bob', 'bob 1', 25));
  t.same(displaced, ['eve 1', 'mallory 1'], 'only those who hold more');
  t.notOk(send('carol', 'carol 1', 59));
  t.equal(displaced.length, 2, 'no user holds more than that');
  t.ok(memory.bytes <= 100);
  for (const own of assemblies.values()) own.clear();
  t.equal(memory.bytes, 0);
});

t.test('drops unfinished images after a time limit, and when there are too many', async (t) => {
  const memory = new HeldImages();
  let forgotten = 0;
  const images = new ImageAssemblies(
    memory.of('ann'),
    1000,
    (count) => {
      forgotten += count;
    },
    () => undefined,
  );
  const add = (id: string, index: number, total: number, now: number) => {
    const data = Buffer.from('AAAA');
    memory.of('ann').take(data.length);
    return images.add({ id, index, total, data }, now);
  };
  const { imagesUnfinished, imageTimeout } = fixedLimits;
  add('a', 0, 3, 0);
  t.throws(() => add('a', 1, 4, 1), { code: 'image_chunk_invalid' });
  add('a', 1, 3, imageTimeout.value - 1);
  images.expire(2 * imageTimeout.value - 2);
  t.equal(forgotten, 0, 'its time begins anew with every chunk');
  images.expire(2 * imageTimeout.value - 1);
  t.equal(forgotten, 1);
  t.equal(memory.bytes, 0);
  const now = 3 * imageTimeout.value;
  for (let image = 0; image <= imagesUnfinished.value; image++) add(`i${image}`, 0, 2, now);
  t.equal(forgotten, 2, 'the one that has waited longest gives way');
  t.equal(memory.bytes, 4 * imagesUnfinished.value);
  t.equal((add('i1', 1, 2, now) as CompleteImage).parts.length, 2, 'others are completed');
  images.clear();
  t.equal(memory.bytes, 4 * 2, 'what is complete is given back by whoever has it');

  const h = new Harness();
  await h.open(0);
  h.text(0, chunk('a', 0, 2, 'A'.repeat(8000)));
  await h.tick();
  t.equal(h.metric('images_held_bytes'), 8000);
  await h.tick(imageTimeout.value);
  await h.tick();
  t.equal(h.metric('images_held_bytes'), 0, 'without another chunk, too');
  t.equal(h.metric('images_forgotten_total'), 1);
});

t.test('frees the memory of images when their stream ends', async (t) => {
  for (const last of ['close', 'violation'] as const) {
    const h = new Harness();
    await h.open(0);
    h.text(0, chunk('a', 0, 2, 'A'.repeat(8000)));
    await settled(h);
    if (last === 'close') h.close(0);
    else {
      h.text(0, chunk('a', 1, 3, 'A'.repeat(8000)));
      h.text(0, chunk('b', 0, 3, 'A'.repeat(8000)));
    }
    await settled(h);
    await h.tick();
    await h.tick();
    t.equal(h.metric('images_held_bytes'), 0, last);
  }
});

t.test('stores an image that is complete when its socket closes, and counts silence from it', async (t) => {
  const h = new Harness();
  await h.open(0, { source: 'desktop' });
  h.images.held = [];
  h.text(0, chunk('a', 0, 1));
  await settled(h);
  h.close(0, 1000);
  await settled(h);
  t.same(h.journal.photos, []);
  h.images.release();
  await settled(h);
  t.equal(h.journal.photos.length, 1);
  t.equal(h.journal.log.at(-1), 'finish', 'a desktop that says goodbye ends a conversation of images, too');
});

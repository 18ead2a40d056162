/** Tests which clients receive the description of an image, when, and for how many images. */
import t from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { PhotoWatch } from '../../../src/engine/images/photo-watch.js';
import type { PhotoDescription } from '../../../src/store/conversations/photo-descriptions.js';
import { Harness } from '../support/harness.js';

t.test('sends the description of an image once, to the socket that sent it', async (t) => {
  const h = new Harness();
  await h.open(0, { uid: 'ann' });
  await h.open(1, { uid: 'bob' });
  for (const id of ['a', 'b', 'c']) h.text(0, { type: 'image_chunk', id, index: 0, total: 1, data: 'AAAA' });
  await h.settle();
  const [a, b, c] = h.journal.photos.map(({ photo }) => photo.id);
  await h.tick();
  t.same(h.events(0, 'photo_described'), [], 'not before it is described');
  h.journal.descriptions.push(
    { id: a!, description: 'A garden.', discarded: false },
    { id: b!, description: '', discarded: true },
    { id: c!, description: null, discarded: false },
  );
  await h.tick();
  await h.tick();
  t.same(h.events(0, 'photo_described'), [
    { type: 'photo_described', photo_id: a, description: 'A garden.', discarded: false },
    { type: 'photo_described', photo_id: b, description: '', discarded: true },
  ]);
  t.same(h.events(1, 'photo_described'), []);
});

t.test('limits the images that wait for a description, and forgets those of a closed socket', async (t) => {
  const asked: (readonly string[])[] = [];
  const answers: PhotoDescription[] = [];
  const watch = new PhotoWatch({
    describedPhotos: async (ids) => {
      asked.push(ids);
      return answers.filter(({ id }) => ids.includes(id));
    },
  });
  const told: string[] = [];
  const listener = { send: (text: string) => void told.push(text) };
  const { value: most } = fixedLimits.photosAwaited;
  for (let photo = 0; photo <= most; photo++) watch.expect(`p${photo}`, listener, 0);
  t.equal(watch.size, most, 'the oldest of a socket gives way');
  const others = Array.from({ length: 10 }, () => ({ send: () => undefined }));
  for (const [which, other] of others.entries()) {
    for (let photo = 0; photo < most; photo++) watch.expect(`${which}/${photo}`, other, 0);
  }
  t.equal(watch.size, 11 * most, 'and none of another');
  for (let tick = 0; tick < (11 * most) / 500; tick++) await watch.tick(1);
  t.equal(new Set(asked.flat()).size, 11 * most, 'every one of them has its turn');
  t.notOk(asked.flat().includes('p0'));
  t.ok(asked.every((ids) => ids.length <= 500));
  answers.push({ id: 'p1', description: 'One.', discarded: false });
  for (let tick = 0; tick < (11 * most) / 500; tick++) await watch.tick(1);
  t.equal(told.length, 1);
  for (const other of [listener, ...others]) watch.forget(other);
  t.equal(watch.size, 0);
  const before = asked.length;
  await watch.tick(2);
  t.equal(asked.length, before, 'nothing is asked for nobody');
  watch.expect('late', listener, 0);
  await watch.tick(3_600_000);
  t.equal(asked.length, before, 'nor after an hour');
  t.equal(watch.size, 0);
});

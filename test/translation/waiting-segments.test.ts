import t from 'tap';
import { WaitingSegments } from '../../src/translation/waiting-segments.js';

const nobody = (): boolean => false;
const ann = { uid: 'ann', conversation: 'a' };
const bob = { uid: 'bob', conversation: 'b' };
const ids = (batch: readonly { readonly id: string }[]): string[] => batch.map(({ id }) => id);

t.test('a segment waits until its end is stable, and briefly for further segments', async (t) => {
  const waiting = new WaitingSegments({ total: 10, user: 10 });
  waiting.add(ann, [{ id: '1', text: 'Hola a' }], 0);
  t.same(waiting.take(2000, nobody), [], 'words may be added');
  waiting.add(ann, [{ id: '1', text: 'Hola a todos.' }], 2000);
  t.equal(waiting.size, 1, 'the newer text replaces the older one');
  t.same(waiting.take(2100, nobody), []);
  t.match(waiting.take(2300, nobody), [{ id: '1', text: 'Hola a todos.' }]);
  t.equal(waiting.size, 0);
});

t.test('treats a segment as stable when nothing is added to it', async (t) => {
  const waiting = new WaitingSegments({ total: 10, user: 10 });
  waiting.add(ann, [{ id: '1', text: 'Hola a' }], 0);
  t.same(ids(waiting.take(3000, nobody)), ['1'], 'after a while');
  waiting.add(ann, [{ id: '1', text: 'Hola a' }], 0);
  waiting.add(ann, [{ id: '2', text: 'Y yo' }], 10);
  t.same(ids(waiting.take(600, nobody)), ['1'], 'when another segment follows');
  waiting.close('a');
  t.same(ids(waiting.take(600, nobody)), ['2'], 'when the shard leaves its conversation');
  waiting.add(ann, [{ id: '3', text: 'Y yo.' }], 700);
  waiting.remove('ann', 'a', '3');
  t.equal(waiting.size, 0, 'a removed segment is not translated');
  t.notOk(waiting.has('a'));
});

t.test('takes all segments of one user, with users in turn', async (t) => {
  const waiting = new WaitingSegments({ total: 100, user: 100 });
  for (let index = 0; index < 5; index++) waiting.add(ann, [{ id: `${index}`, text: 'Uno.' }], 0);
  waiting.add(bob, [{ id: 'b', text: 'Dos.' }], 0);
  const first = waiting.take(1000, nobody);
  t.same(ids(first), ['0', '1', '2', '3', '4']);
  waiting.add(ann, [{ id: '6', text: 'Uno.' }], 0);
  t.same(ids(waiting.take(1000, nobody)), ['b']);
  t.same(ids(waiting.take(1000, (uid) => uid === 'ann')), [], 'one at a time');
  t.same(ids(waiting.take(1000, nobody)), ['6']);
});

t.test('limits the text of one batch', async (t) => {
  const waiting = new WaitingSegments({ total: 100, user: 100 });
  const text = `${'palabra '.repeat(250)}.`;
  for (let index = 0; index < 10; index++) waiting.add(ann, [{ id: `${index}`, text }], 0);
  t.equal(waiting.take(1000, nobody).length, 3);
});

t.test('limits the waiting segments per user and in total', async (t) => {
  const waiting = new WaitingSegments({ total: 6, user: 4 });
  let dropped = 0;
  for (let index = 0; index < 10; index++) dropped += waiting.add(ann, [{ id: `${index}`, text: 'Uno.' }], 0);
  t.equal(waiting.size, 4);
  t.equal(dropped, 6);
  for (let index = 0; index < 3; index++) dropped += waiting.add(bob, [{ id: `${index}`, text: 'Dos.' }], 0);
  t.equal(waiting.size, 6);
  t.equal(dropped, 7, 'drops a segment of the user with most');
  t.same(ids(waiting.take(1000, nobody)), ['7', '8', '9'], 'drops the oldest segments');
  t.equal(waiting.take(1000, nobody).length, 3);
});

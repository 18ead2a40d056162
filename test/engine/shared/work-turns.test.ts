/** Tests work on many conversations in small slices. Between two slices, other tasks of the thread run. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { WorkTurns } from '../../../src/engine/shared/work-turns.js';

t.test('runs pieces in order and gives other work the thread in between', async (t) => {
  let now = 0;
  const turns = new WorkTurns(() => now);
  const done: (number | string)[] = [];
  const pieces = Array.from({ length: 6 }, async (_, index) => {
    await turns.next();
    done.push(index);
    now += 0.5;
  });
  const other = (async () => {
    for (let turn = 0; turn < 2; turn++) {
      await nextTurn();
      done.push('other');
    }
  })();
  await Promise.all([...pieces, other]);
  t.same(
    done.filter((what) => what !== 'other'),
    [0, 1, 2, 3, 4, 5],
  );
  t.same(done.slice(0, 3), [0, 1, 'other'], 'two pieces of half a millisecond fill a turn');
  t.ok(done.indexOf('other', 3) < done.indexOf(5), 'and so on');
});

t.test('a piece requested by another piece runs after those that wait', async (t) => {
  const turns = new WorkTurns(() => 0);
  const done: string[] = [];
  const piece = async (name: string, next?: string): Promise<void> => {
    await turns.next();
    done.push(name);
    if (next !== undefined) await piece(next);
  };
  await Promise.all([piece('a', 'c'), piece('b')]);
  t.same(done, ['a', 'b', 'c']);
});

t.test('continues after a pause', async (t) => {
  const turns = new WorkTurns(() => 0);
  await turns.next();
  await nextTurn();
  await turns.next();
  t.pass('the second one resolved');
});

/** Tests how users take turns at the sentence model. */
import t from 'tap';
import { EmbedTurns } from '../../src/service/search/embed-turns.js';

/**
 * Makes a queue of texts to embed. `handed` lists the tasks in the order of their start, and `ends` has a function for
 * each task that ends it.
 */
const start = (atOnce = 1) => {
  const handed: string[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const turns = new EmbedTurns({
    run: (texts) =>
      new Promise((resolve, reject) => {
        handed.push(texts.join(' '));
        ends.push((error) => (error ? reject(error) : resolve(texts.map(() => new Float32Array(1)))));
      }),
    taskTexts: 2,
    atOnce,
    mostWaiting: 12,
    mostWaitingOfUser: 8,
  });
  return { turns, handed, ends };
};

const drain = async (ends: ((error?: Error) => void)[], from = 0): Promise<void> => {
  for (let at = from; at < ends.length; at++) {
    ends[at]!();
    await new Promise(setImmediate);
  }
};

t.test('users take turns, one task each', async (t) => {
  const { turns, handed, ends } = start();
  const asked = [
    turns.embed('ann', ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']),
    turns.embed('bob', ['b1']),
    turns.embed('carl', ['c1', 'c2', 'c3']),
    turns.embed('ann', ['a7']),
  ];
  await drain(ends);
  t.strictSame(handed, ['a1 a2', 'a3 a4', 'b1', 'c1 c2', 'a5 a6', 'c3', 'a7']);
  t.strictSame(
    (await Promise.all(asked)).map((vectors) => vectors!.length),
    [6, 1, 3, 1],
  );
  t.equal(turns.waiting, 0);
});

t.test('limits the waiting texts of a user and of all users', async (t) => {
  const { turns, ends } = start(2);
  const texts = (count: number): string[] => Array(count).fill('x');
  const first = turns.embed('ann', texts(8));
  t.equal(await turns.embed('ann', ['more']), undefined, 'limit of a user');
  const second = turns.embed('bob', texts(4));
  t.equal(turns.waiting, 12);
  t.equal(await turns.embed('carl', ['more']), undefined, 'limit of all users');
  await drain(ends);
  await Promise.all([first, second]);
  const again = turns.embed('carl', ['now']);
  await drain(ends, ends.length - 1);
  t.equal((await again)!.length, 1, 'completed texts do not count');
});

t.test('a failed task fails only its own request', async (t) => {
  const { turns, ends } = start();
  const failing = turns.embed('ann', ['a1', 'a2', 'a3']);
  const other = turns.embed('bob', ['b1']);
  ends[0]!(new Error('out of memory'));
  await t.rejects(failing, /out of memory/);
  await drain(ends, 1);
  t.equal((await other)!.length, 1);
  t.equal(turns.waiting, 0);
});

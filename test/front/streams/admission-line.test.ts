import t from 'tap';
import { AdmissionLine } from '../../../src/front/streams/admission-line.js';

const made = (more: { longestWait?: number; most?: number; mostOfUser?: number } = {}) => {
  const state = { lag: 500 };
  const line = new AdmissionLine({
    lag: () => state.lag,
    budget: 200,
    longestWait: 10_000,
    most: 100,
    mostOfUser: 3,
    ...more,
  });
  return { state, line };
};

t.test('a stream enters at once while the lag is within its budget', async (t) => {
  const { state, line } = made();
  state.lag = 200;
  await t.resolves(line.enter('a'));
});

t.test('streams wait for the lag and enter in the order of their arrival', async (t) => {
  const { state, line } = made();
  const entered: number[] = [];
  const all = Array.from({ length: 12 }, (_, index) =>
    line.enter(`user-${index}`).then(() => entered.push(index)),
  );
  t.same(entered, []);
  state.lag = 0;
  // A stream that arrives now waits behind the others.
  const last = line.enter('late').then(() => entered.push(12));
  await Promise.all([...all, last]);
  t.same(
    entered,
    Array.from({ length: 13 }, (_, index) => index),
  );
});

t.test('few streams enter at one look, so that a higher lag stops the others', async (t) => {
  const { state, line } = made();
  let entered = 0;
  const all = Array.from({ length: 20 }, (_, index) =>
    line.enter(`user-${index}`).then(() => {
      entered++;
      if (entered === 5) state.lag = 500;
    }),
  );
  state.lag = 0;
  await Promise.all(all.slice(0, 5));
  t.equal(entered, 5);
  line.close();
  const results = await Promise.allSettled(all);
  t.equal(results.filter(({ status }) => status === 'fulfilled').length, 5);
});

t.test('a stream is refused after its wait, beyond the bounds, and when the engine drains', async (t) => {
  await t.rejects(made({ longestWait: 30 }).line.enter('a'), { code: 'overloaded' }, 'after its wait');
  await t.rejects(made({ longestWait: 0 }).line.enter('a'), { code: 'overloaded' }, 'without a wait');
  const { line } = made({ most: 4 });
  const waiting = ['a', 'a', 'a'].map((uid) => line.enter(uid));
  await t.rejects(line.enter('a'), { code: 'overloaded' }, 'too many of one user');
  waiting.push(line.enter('b'));
  await t.rejects(line.enter('c'), { code: 'overloaded' }, 'too many of all users');
  line.close();
  for (const { status, ...rest } of await Promise.allSettled(waiting))
    t.match({ status, ...rest }, { status: 'rejected', reason: { code: 'draining' } });
});

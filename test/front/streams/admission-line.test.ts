import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { AdmissionLine } from '../../../src/front/streams/admission-line.js';
import type { ClientAddress } from '../../../src/identity/index.js';

const from = (group: string): ClientAddress => ({ group, exempt: false }) as ClientAddress;
const stays = (): boolean => false;

const made = (more: { longestWait?: number; most?: number; mostOfAddress?: number } = {}) => {
  const state = { lag: 500 };
  const line = new AdmissionLine({
    lag: () => state.lag,
    budget: 200,
    longestWait: 10_000,
    most: 1000,
    mostOfAddress: 1000,
    ...more,
  });
  return { state, line };
};

t.test('a stream enters at once while the lag is within its budget', async (t) => {
  const { state, line } = made();
  state.lag = 200;
  await t.resolves(line.enter(from('a'), stays));
});

t.test('streams wait for the lag and enter in the order of their arrival', async (t) => {
  const { state, line } = made();
  const entered: number[] = [];
  const all = Array.from({ length: 12 }, (_, index) =>
    line.enter(from('a'), stays).then(() => entered.push(index)),
  );
  t.same(entered, []);
  state.lag = 0;
  // A stream that arrives now waits until the other waiting streams have entered.
  const last = line.enter(from('b'), stays).then(() => entered.push(12));
  await Promise.all([...all, last]);
  t.same(
    entered,
    Array.from({ length: 13 }, (_, index) => index),
  );
});

t.test('few streams enter at the first look, so that a higher lag stops the others', async (t) => {
  const { state, line } = made();
  let entered = 0;
  const all = Array.from({ length: 20 }, () =>
    line.enter(from('a'), stays).then(() => {
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

t.test('while the lag stays low, no waiting stream is refused', async (t) => {
  const { state, line } = made({ longestWait: 300 });
  state.lag = 250;
  const all = Array.from({ length: 1000 }, () => line.enter(from('a'), stays));
  state.lag = 0;
  const results = await Promise.allSettled(all);
  t.equal(results.filter(({ status }) => status === 'fulfilled').length, 1000);
});

t.test('a client that has disconnected gives its place to another', async (t) => {
  const { line } = made({ mostOfAddress: 1 });
  const gone = { yet: false };
  const first = line.enter(from('a'), () => gone.yet);
  await t.rejects(line.enter(from('a'), stays), { code: 'overloaded' });
  gone.yet = true;
  await t.rejects(first);
  const second = line.enter(from('a'), stays);
  line.close();
  await t.rejects(second, { code: 'draining' });
});

t.test('a stream is refused after its wait, beyond the bounds, and when the engine drains', async (t) => {
  const refused = { code: 'overloaded' };
  await t.rejects(made({ longestWait: 501 }).line.enter(from('a'), stays), refused, 'after its wait');
  for (const [longestWait, why] of [
    [0, 'without a wait'],
    [400, 'lag above the longest wait'],
  ] as const) {
    const outcome = await Promise.race([
      made({ longestWait })
        .line.enter(from('a'), stays)
        .catch(({ code }: { code: string }) => code),
      pause(0).then(() => 'waits'),
    ]);
    t.equal(outcome, 'overloaded', why);
  }
  const { line } = made({ most: 4, mostOfAddress: 3 });
  const waiting = ['a', 'a', 'a'].map((group) => line.enter(from(group), stays));
  await t.rejects(line.enter(from('a'), stays), refused, 'too many of one address');
  waiting.push(line.enter(from('b'), stays));
  await t.rejects(line.enter(from('c'), stays), refused, 'too many of all addresses');
  line.close();
  for (const result of await Promise.allSettled(waiting))
    t.match(result, { status: 'rejected', reason: { code: 'draining' } });
});

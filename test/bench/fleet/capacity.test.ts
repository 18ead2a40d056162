import fc from 'fast-check';
import t from 'tap';
import { findCapacity, type Rung, type Verdict } from '../../../bench/fleet/capacity.js';

const options = { from: 100, most: 5000, factor: 1.5, precision: 0.03, shortHold: 7, hold: 60 };

/** Simulates a server with the given capacity. It sometimes fails a short attempt below its capacity. */
const simulated =
  (truth: number, spoils: () => boolean) =>
  async (streams: number, seconds: number): Promise<Verdict> =>
    streams > truth || (seconds < 60 && spoils()) ? { ok: false, why: 'p99 200 ms' } : { ok: true };

t.test('the found capacity lies at most 3 % below the true one', async (t) => {
  const property = fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4900 }), async (truth) => {
      const { streams, atLeast, boundBy } = await findCapacity({
        ...options,
        attempt: simulated(truth, () => false),
      });
      return (
        streams <= truth &&
        truth - streams <= Math.max(1, truth * 0.031) &&
        !atLeast &&
        boundBy === 'p99 200 ms'
      );
    }),
  );
  await t.resolves(property);
});

t.test(
  'a try that other work disturbs does not change the result, unless the same try is disturbed twice',
  async (t) => {
    const property = fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 50, max: 4900 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 4 })),
        async (truth, gaps) => {
          // After a spoilt attempt, at least the next attempt is not spoilt.
          let wait = 1;
          const spoils = (): boolean => {
            if (--wait > 0) return false;
            wait = 1 + gaps.next().value!;
            return true;
          };
          const { streams } = await findCapacity({ ...options, attempt: simulated(truth, spoils) });
          return streams <= truth && truth - streams <= Math.max(1, truth * 0.031);
        },
      ),
    );
    await t.resolves(property);
  },
);

t.test('a number of streams that does not hold for the whole time is reduced until it does', async (t) => {
  const ladder: Rung[] = [];
  const found = await findCapacity({
    ...options,
    attempt: async (streams, seconds) => ({ ok: streams <= (seconds < 60 ? 1000 : 900) }),
    onRung: (rung) => ladder.push(rung),
  });
  t.ok(found.streams <= 900 && found.streams >= 870, `${found.streams}`);
  t.same(found.ladder, ladder);
  const decided = ladder.filter(({ seconds }) => seconds === 60);
  t.ok(decided.length > 1 && decided.at(-1)!.ok && decided.slice(0, -1).every(({ ok }) => !ok));
  for (const [i, { streams }] of decided.slice(1).entries()) {
    t.ok(streams < decided[i]!.streams && streams >= decided[i]!.streams * 0.96, 'by steps of 3 %');
  }
});

t.test('a server that holds every tried number is reported as "at least"', async (t) => {
  const found = await findCapacity({ ...options, most: 400, attempt: async () => ({ ok: true }) });
  t.match(found, { streams: 400, atLeast: true, boundBy: undefined });
  t.ok(found.ladder.every(({ streams }) => streams <= 400));
});

t.test('a server that holds no stream is reported with the reason', async (t) => {
  const found = await findCapacity({
    ...options,
    attempt: async () => ({ ok: false, why: 'errors: 1 reset' }),
  });
  t.match(found, { streams: 0, atLeast: false, boundBy: 'errors: 1 reset' });
});

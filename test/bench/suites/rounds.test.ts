import t from 'tap';
import { rowSchema, selfNoiseSchema } from '../../../bench/report/envelope.js';
import { type Contender, measureInRounds, percentilesOf } from '../../../bench/suites/rest/rounds.js';

const labels = (mode: string, batch?: number): Contender['labels'] => ({
  suite: 'journal',
  contender: 'cochlea',
  mode,
  batch,
});

t.test('each round measures every contender once and the first one twice, in changing order', async (t) => {
  const order: string[] = [];
  const contenderOf = (mode: string, value: (round: number) => number): Contender => ({
    labels: labels(mode, 8),
    measure: async (round) => {
      order.push(mode);
      return { segments_per_s: value(round), p99_ms: 2 };
    },
  });
  const { results, selfNoise } = await measureInRounds(
    [contenderOf('a', (round) => [10, 30, 20][round]!), contenderOf('b', () => 7)],
    3,
  );
  t.same(order.join(''), 'aba' + 'aba' + 'aba');
  t.match(results, [
    { mode: 'a', rounds: 3, segments_per_s: 20, segments_per_s_spread: 10, p99_ms: 2, p99_ms_spread: 0 },
    { mode: 'b', rounds: 3, segments_per_s: 7, segments_per_s_spread: 0 },
  ]);
  t.same(
    selfNoise.map(({ of, cost, ratio, spread }) => ({ of, cost, ratio, spread })),
    [
      { of: 'batch 8, a: segments_per_s', cost: 'segments_per_s', ratio: 1, spread: 0 },
      { of: 'batch 8, a: p99_ms', cost: 'p99_ms', ratio: 1, spread: 0 },
    ],
  );
  for (const row of results) rowSchema.parse(row);
  for (const row of selfNoise) selfNoiseSchema.parse(row);
});

t.test('the order of three contenders rotates', async (t) => {
  const order: string[] = [];
  const measureAs = (mode: string) => async () => {
    order.push(mode);
    return { p50_ms: 1 };
  };
  const contenders = ['a', 'b', 'c'].map(
    (mode): Contender => ({ labels: labels(mode), measure: measureAs(mode) }),
  );
  await measureInRounds(contenders, 2);
  t.equal(order.join(''), 'abca' + 'acba');
});

t.test('a single round has no spread and no noise, and costs without a ratio have no noise', async (t) => {
  const contender = (errors: number): Contender => ({
    labels: labels('a'),
    measure: async () => ({ errors, p50_ms: 3 }),
  });
  const once = await measureInRounds([contender(0)], 1);
  t.same(once, { results: [{ ...labels('a'), rounds: 1, p50_ms: 3, errors: 0 }], selfNoise: [] });
  const twice = await measureInRounds([contender(0)], 2);
  t.same(
    twice.selfNoise.map(({ cost }) => cost),
    ['p50_ms'],
  );
  t.same(await measureInRounds([], 3), { results: [], selfNoise: [] });
});

t.test('percentiles of small sets are exact', async (t) => {
  t.same(percentilesOf([]), {});
  t.same(percentilesOf([4]), { p50_ms: 4, p99_ms: 4 });
  t.same(percentilesOf(Array.from({ length: 101 }, (_, index) => 100 - index)), { p50_ms: 50, p99_ms: 99 });
});

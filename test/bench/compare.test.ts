import t from 'tap';
import { cpuPerUnit } from '../../bench/micro/clock.js';
import { type Contender, compare } from '../../bench/micro/compare.js';
import { exceeds } from '../../bench/micro/stats.js';

t.test('each round runs every contender once and the first one twice, in changing order', async (t) => {
  const calls: { key: string; round: number }[] = [];
  const contender = (key: string): Contender => ({
    key,
    measure: (round) => {
      calls.push({ key, round });
      return 1;
    },
  });
  await compare([contender('a'), contender('b'), contender('c')], { rounds: 6, warmUp: 2 });
  const orders = Array.from({ length: 8 }, (_, round) =>
    calls.filter((call) => call.round === round).map(({ key }) => key),
  );
  t.equal(calls.length, 8 * 4);
  for (const order of orders) t.same([...order].sort(), ['a', 'a', 'b', 'c']);
  t.equal(new Set(orders.map(String)).size, 8, 'no two of these rounds have the same order');
  for (const key of ['b', 'c'])
    t.ok(new Set(orders.map((order) => order.indexOf(key))).size === 4, `${key} was at every place`);
});

t.test('compare returns values, spread and ratios', async (t) => {
  const drift = [100, 100, 1, 2, 3, 4, 5];
  const { results, self } = await compare(
    [
      { key: 'subject', measure: (round) => drift[round]! },
      { key: 'double', measure: async (round) => 2 * drift[round]! },
      { key: 'half', against: 'double', measure: (round) => drift[round]! },
    ],
    { rounds: 5, warmUp: 2 },
  );
  t.same(self, { ratio: 1, spread: 0 });
  t.same(results, [
    { key: 'subject', against: 'subject', value: 3, spread: 2, ratio: 1 },
    { key: 'double', against: 'subject', value: 6, spread: 4, ratio: 2 },
    { key: 'half', against: 'double', value: 3, spread: 2, ratio: 0.5 },
  ]);
});

t.test('contenders that cannot be compared are refused', async (t) => {
  await t.rejects(compare([], { rounds: 1, warmUp: 0 }), RangeError);
  const lost = [{ key: 'a', against: 'b', measure: () => 1 }];
  await t.rejects(compare(lost, { rounds: 1, warmUp: 0 }), { message: /compared with b/ });
});

t.test('a contender that was slowed on purpose exceeds the self-noise', async (t) => {
  const spin = (steps: number): number => {
    let value = 1;
    for (let i = 0; i < steps; i++) value = Math.imul(value, 48_271) ^ (value >>> 7);
    return value;
  };
  const units = 100;
  const contender = (key: string, steps: number): Contender => ({
    key,
    measure: () =>
      cpuPerUnit(units, () => {
        for (let i = 0; i < units; i++) if (spin(steps) === 0) throw new Error('never');
      }),
  });
  const { results, self } = await compare([contender('plain', 40_000), contender('slowed', 80_000)], {
    rounds: 15,
    warmUp: 3,
  });
  const slowed = results[1]!;
  t.match(slowed.against, 'plain');
  t.ok(
    slowed.ratio > 1.4 && slowed.ratio < 3,
    `twice the work costs ${slowed.ratio.toFixed(2)} times as much`,
  );
  t.ok(exceeds(slowed.ratio, self), `beyond the self-noise ${JSON.stringify(self)}`);
});

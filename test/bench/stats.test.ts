import fc from 'fast-check';
import t from 'tap';
import { exceeds, median, paired, quantile, spread } from '../../bench/micro/stats.js';

t.test('quantiles of small sets are exact', async (t) => {
  const cases: readonly [name: string, values: number[], share: number, expected: number][] = [
    ['one value', [7], 0.5, 7],
    ['odd count', [3, 1, 2], 0.5, 2],
    ['even count lies between', [4, 1, 3, 2], 0.5, 2.5],
    ['lower quartile', [1, 2, 3, 4, 5], 0.25, 2],
    ['between two values', [0, 10], 0.75, 7.5],
    ['ends', [5, 9, 1], 0, 1],
    ['ends', [5, 9, 1], 1, 9],
    ['order is by number', [10, 9, 100], 0.5, 10],
  ];
  for (const [name, values, share, expected] of cases) t.equal(quantile(values, share), expected, name);
  t.throws(() => quantile([], 0.5), RangeError);
});

t.test('the spread ignores single rounds in which another program ran', async (t) => {
  t.equal(spread([1, 1, 1, 1, 1, 1, 1, 900]), 0);
  t.equal(spread([1, 2, 3, 4, 5]), 2);
  t.equal(spread([4]), 0);
});

t.test('a quantile lies within its values and does not depend on their order', async () => {
  const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (list, share) => {
      const found = quantile(list, share);
      const again = quantile([...list].reverse(), share);
      return found >= Math.min(...list) && found <= Math.max(...list) && found === again;
    }),
  );
});

t.test('pairs compare values of the same round', async (t) => {
  t.same(paired([2, 30], [1, 10]), [2, 3]);
  t.equal(median(paired([1, 100, 3], [2, 200, 6])), 0.5, 'a slow round slows both');
  t.throws(() => paired([1], [1, 2]), RangeError);
});

t.test('a ratio counts if it exceeds the self-noise', async (t) => {
  const cases: readonly [ratio: number, self: { ratio: number; spread: number }, expected: boolean][] = [
    [1, { ratio: 1, spread: 0 }, false],
    [1.02, { ratio: 1, spread: 0.05 }, false],
    [1.1, { ratio: 1, spread: 0.05 }, true],
    [0.9, { ratio: 1, spread: 0.05 }, true],
    [1.1, { ratio: 1.08, spread: 0.05 }, false],
    [0.9, { ratio: 1.08, spread: 0.05 }, false],
    [5, { ratio: 0.9, spread: 0.3 }, true],
  ];
  for (const [ratio, self, expected] of cases)
    t.equal(exceeds(ratio, self), expected, `${ratio} against ${JSON.stringify(self)}`);
});

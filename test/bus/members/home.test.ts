/**
 * Tests the choice of a key's home, which is the engine that is responsible for the key. All engines choose the same
 * home. When an engine comes or leaves, only few keys get a new home.
 */
import fc from 'fast-check';
import t from 'tap';
import { homeOf } from '../../../src/bus/members/home.js';

const nodes = fc.uniqueArray(fc.stringMatching(/^[a-z0-9-]{1,12}\.[0-9]$/), { minLength: 1, maxLength: 24 });
const keys = fc.array(fc.string({ maxLength: 24 }), { minLength: 1, maxLength: 64 });

t.test('the order of the nodes has no influence', async () => {
  fc.assert(
    fc.property(nodes, keys, (nodes, keys) =>
      keys.every((key) => {
        const home = homeOf(key, nodes);
        return nodes.includes(home!) && home === homeOf(key, [...nodes].reverse());
      }),
    ),
  );
});

t.test('if a node leaves, only its own keys move', async () => {
  fc.assert(
    fc.property(nodes, keys, fc.nat(), (nodes, keys, at) => {
      const left = nodes[at % nodes.length]!;
      const rest = nodes.filter((node) => node !== left);
      return keys.every((key) => {
        const [before, after] = [homeOf(key, nodes), homeOf(key, rest)];
        return before === left || before === after;
      });
    }),
  );
});

t.test('each of N nodes has about 1/N of the keys', async (t) => {
  for (const size of [2, 3, 10, 50]) {
    const nodes = Array.from({ length: size }, (_, index) => `engine-${index}.0`);
    const counts = new Map(nodes.map((node) => [node, 0]));
    const all = 20_000;
    for (let key = 0; key < all; key++) {
      const home = homeOf(`user-${key}`, nodes)!;
      counts.set(home, counts.get(home)! + 1);
    }
    const shares = [...counts.values()].map((count) => (count * size) / all);
    t.ok(Math.min(...shares) > 0.75, `${size} nodes: the least has ${Math.min(...shares).toFixed(2)} of 1/N`);
    t.ok(Math.max(...shares) < 1.25, `${size} nodes: the most has ${Math.max(...shares).toFixed(2)} of 1/N`);
  }
});

t.test('a machine does not get more keys by naming more nodes', async (t) => {
  const nodes = ['one.0', 'two.0', ...Array.from({ length: 64 }, (_, index) => `liar.${index}`)];
  const homes = Array.from({ length: 6000 }, (_, key) => homeOf(`user-${key}`, nodes)!);
  const share = homes.filter((home) => home.startsWith('liar')).length / homes.length;
  t.ok(share > 0.3 && share < 0.37, `${share} of the keys`);
  const counts = Array.from(
    { length: 64 },
    (_, index) => homes.filter((home) => home === `liar.${index}`).length,
  );
  t.ok(Math.max(...counts) < 70, 'its nodes share its keys');
});

t.test('without nodes there is no home', async (t) => {
  t.equal(homeOf('ann', []), null);
});

/**
 * Tests, without a browser, the console's code that exports all data of a user: lost connections, cut lines, refusals.
 */
import fc from 'fast-check';
import t from 'tap';
import { Everything } from '../../../src/console/lines/everything.js';

const lines = Array.from(
  { length: 40 },
  (_, at) =>
    `{"type":"${at === 39 ? 'end' : 'conversation'}","after":"place-${at}","record":"${'ä'.repeat(at)}"}\n`,
);

/** Returns a service. It loses the connection of each request after the number of characters in `cuts`. */
const service = (cuts: readonly number[], size: number) => {
  const requests: (string | undefined)[] = [];
  async function* read(after: string | undefined): AsyncGenerator<string, void, undefined> {
    const from = after === undefined ? 0 : Number(after.slice('place-'.length)) + 1;
    const cut = cuts[requests.push(after) - 1] ?? Number.POSITIVE_INFINITY;
    const text = lines.slice(from).join('').slice(0, cut);
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
    if (cut < Number.POSITIVE_INFINITY) throw new Error('the connection is lost');
  }
  return { read, requests };
};

const waits: number[] = [];
const options = {
  wait: async (ms: number) => void waits.push(ms),
  isFinal: () => false,
  changed: () => undefined,
};

t.test('has every line once, wherever connections are lost', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 50, max: 2000 }), { maxLength: 5 }),
      fc.integer({ min: 1, max: 300 }),
      async (cuts, size) => {
        const { read } = service(cuts, size);
        const blob = await new Everything({ ...options, read }).run();
        return (await blob.text()) === lines.join('');
      },
    ),
  );
  t.ok(waits.every((ms) => ms >= 1000 && ms <= 10_000));
});

t.test('gives up after several attempts without a line, and goes on when it is asked to', async (t) => {
  const { read, requests } = service([500, 0, 0, 0, 0, 0, 0], 100);
  const states: number[] = [];
  const everything = new Everything({ ...options, read, changed: ({ lines }) => states.push(lines) });
  await t.rejects(everything.run(), { message: 'the connection is lost' });
  const before = requests.length;
  t.equal(before, 6);
  const blob = await everything.run();
  t.equal(await blob.text(), lines.join(''));
  t.same(requests.slice(0, 2), [undefined, requests[1]]);
  t.ok(
    requests.slice(1).every((after) => after === requests[1]),
    'it continues behind the same line',
  );
  t.same([states.at(-1), states.toSorted((one, other) => one - other)], [40, states]);
});

t.test('an answer that ends without the last line is continued; a final error is not repeated', async (t) => {
  let requests = 0;
  async function* short(after: string | undefined): AsyncGenerator<string, void, undefined> {
    requests++;
    yield after === undefined ? lines.slice(0, 10).join('') : lines.slice(10).join('');
  }
  const blob = await new Everything({ ...options, read: short }).run();
  t.equal(await blob.text(), lines.join(''));
  t.equal(requests, 2);
  const refused = service([0, 0], 100);
  await t.rejects(new Everything({ ...options, read: refused.read, isFinal: () => true }).run());
  t.equal(refused.requests.length, 1);
});

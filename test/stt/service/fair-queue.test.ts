/** Tests the queue of the transcriber: the order of users and streams, limits, and dropped requests. */
import fc from 'fast-check';
import t from 'tap';
import { FairQueue, type Queueable, type QueueBounds } from '../../../src/stt/shared/fair-queue.js';

interface Item extends Queueable {
  readonly number: number;
}

const item = (number: number, user: string, stream: string, size = 1): Item => ({
  number,
  user,
  stream: `${user}/${stream}`,
  size,
});
const wide: QueueBounds = { total: 1000, user: 1000, stream: 1000 };
const order = (queue: FairQueue<Item>): number[] => {
  const numbers: number[] = [];
  for (let next = queue.peek(); next !== undefined; next = queue.peek()) {
    queue.take(next);
    numbers.push(next.number);
  }
  return numbers;
};

t.test('serves users in turn, then the streams of each user', async (t) => {
  const queue = new FairQueue<Item>(wide);
  for (let number = 0; number < 6; number++) queue.offer(item(number, 'a', `${number % 3}`));
  queue.offer(item(10, 'b', '0'));
  queue.offer(item(11, 'b', '0'));
  queue.offer(item(20, 'c', '0'));
  t.strictSame(order(queue), [0, 10, 20, 1, 11, 2, 3, 4, 5]);
});

t.test('prefers users without a running request', async (t) => {
  const queue = new FairQueue<Item>(wide);
  for (const [number, user] of ['a', 'a', 'b'].entries()) queue.offer(item(number, user, '0'));
  const hands: Record<string, number> = { a: 1 };
  t.equal(queue.peek((user) => hands[user] ?? 0)?.number, 2);
  hands.b = 1;
  t.equal(queue.peek((user) => hands[user] ?? 0)?.number, 0);
});

t.test('passes over streams whose oldest request does not fit, and they keep their turn', async (t) => {
  const queue = new FairQueue<Item>(wide);
  for (const [number, [user, stream]] of ['a0', 'a0', 'a1', 'b0', 'c0'].map((name) => [...name]).entries())
    queue.offer(item(number, user!, stream!));
  const fits = ({ number }: Item): boolean => number !== 0 && number !== 3;
  const served: number[] = [];
  for (let next = queue.peek(() => 0, fits); next !== undefined; next = queue.peek(() => 0, fits)) {
    queue.take(next);
    served.push(next.number);
  }
  t.strictSame(served, [2, 4], 'not 1, which waits behind 0');
  t.strictSame([...queue.turns(fits)], []);
  t.strictSame(order(queue), [3, 0, 1], 'the served user comes after the others');
});

t.test("a returned request keeps its user's position", async (t) => {
  const queue = new FairQueue<Item>(wide);
  for (const [number, user] of ['a', 'a', 'b', 'c'].entries()) queue.offer(item(number, user, '0'));
  const first = queue.peek()!;
  queue.take(first);
  queue.putBack(first, 'last');
  t.strictSame(
    [...queue.turns()].map(({ number }) => number),
    [2, 3, 0],
    'keeps the place of its user',
  );
  queue.remove(({ number }) => number === 3);
  queue.putBack(item(3, 'c', '0'), 'first');
  t.strictSame(order(queue), [3, 2, 0, 1]);
});

t.test('drops requests over a limit', async (t) => {
  const cases: {
    name: string;
    before: [string, string, number][];
    offered: [string, string, number];
    gone: number[];
  }[] = [
    { name: 'over the limit of a stream', before: [['a', '0', 30]], offered: ['a', '0', 11], gone: [1] },
    {
      name: 'over the limit of a user without a larger stream',
      before: [
        ['a', '0', 30],
        ['a', '1', 30],
      ],
      offered: ['a', '2', 35],
      gone: [2],
    },
    {
      name: 'over the limit of a user with a larger stream',
      before: [
        ['a', '0', 20],
        ['a', '0', 20],
        ['a', '1', 10],
      ],
      offered: ['a', '2', 15],
      gone: [1],
    },
    {
      name: 'within the total limit, another user has more',
      before: [
        ['a', '0', 30],
        ['a', '1', 30],
        ['b', '0', 30],
      ],
      offered: ['b', '0', 5],
      gone: [],
    },
    {
      name: 'over the total limit, drops the newest item of the larger user',
      before: [
        ['a', '0', 25],
        ['a', '1', 30],
        ['b', '0', 40],
      ],
      offered: ['c', '0', 9],
      gone: [1],
    },
    {
      name: 'over the total limit, this user has most',
      before: [
        ['a', '0', 40],
        ['b', '0', 30],
        ['c', '0', 25],
      ],
      offered: ['a', '1', 9],
      gone: [3],
    },
    { name: 'larger than everything', before: [], offered: ['a', '0', 101], gone: [0] },
  ];
  for (const { name, before, offered, gone } of cases) {
    const queue = new FairQueue<Item>({ total: 100, user: 60, stream: 40 });
    for (const [number, [user, stream, size]] of before.entries())
      t.strictSame(queue.offer(item(number, user, stream, size)), [], name);
    const refused = queue.offer(item(before.length, ...offered));
    t.strictSame(
      refused.map(({ number }) => number),
      gone,
      name,
    );
  }
});

interface Offer {
  readonly user: string;
  readonly stream: string;
  readonly size: number;
}

t.test('serves users in turn and loses no request, for any order of calls', async (t) => {
  const offer = fc.record({
    user: fc.constantFrom('a', 'b', 'c', 'd', '__proto__'),
    stream: fc.constantFrom('0', '1', '2'),
    size: fc.integer({ min: 1, max: 12 }),
  });
  const step: fc.Arbitrary<Offer | null> = fc.oneof(
    { weight: 3, arbitrary: offer },
    { weight: 2, arbitrary: fc.constant(null) },
  );
  const bounds = fc.record({
    total: fc.integer({ min: 1, max: 60 }),
    user: fc.integer({ min: 1, max: 50 }),
    stream: fc.integer({ min: 1, max: 40 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), bounds, (steps, limits) => {
      const queue = new FairQueue<Item>(limits);
      /** Waiting items in order of arrival. */
      let waiting: Item[] = [];
      /**
       * For each waiting user, the number of requests of every other user that were served since that user was last served or began to
       * wait.
       */
      const passed = new Map<string, Map<string, number>>();
      const sizeOf = (matches: (other: Item) => boolean): number =>
        waiting.filter(matches).reduce((sum, { size }) => sum + size, 0);
      const demand = (holds: boolean, what: string): void => {
        if (!holds) throw new Error(what);
      };
      for (const [number, made] of steps.entries()) {
        if (made === null) {
          const next = queue.peek();
          demand((next === undefined) === (waiting.length === 0), 'something waits, so something is next');
          if (next === undefined) continue;
          queue.take(next);
          demand(waiting.find(({ stream }) => stream === next.stream) === next, 'first in, first out');
          waiting = waiting.filter((other) => other !== next);
          passed.delete(next.user);
          for (const counts of passed.values()) {
            const turns = (counts.get(next.user) ?? 0) + 1;
            demand(turns <= 1, 'at most one turn of each other user');
            counts.set(next.user, turns);
          }
        } else {
          const offered = item(number, made.user, made.stream, made.size);
          const own = sizeOf(({ user }) => user === offered.user) + offered.size;
          const line = sizeOf(({ stream }) => stream === offered.stream) + offered.size;
          const users = new Set([...waiting.map(({ user }) => user), offered.user]).size;
          const before = new Map(
            [...new Set(waiting.map(({ user }) => user))].map((name) => [
              name,
              sizeOf(({ user }) => user === name),
            ]),
          );
          const gone = queue.offer(offered);
          const isRefused = gone.includes(offered);
          demand(!isRefused || gone.length === 1, 'what is refused displaces nothing');
          if (own <= limits.total / users && own <= limits.user && line <= limits.stream)
            demand(!isRefused, 'a fair share is always taken');
          for (const { user } of gone)
            if (user !== offered.user)
              demand(before.get(user)! > Math.min(own, limits.user) - 12, 'only who has more gives way');
          for (const lost of gone)
            demand(lost === offered || waiting.includes(lost), 'each is answered once');
          waiting = [...waiting, offered].filter((other) => !gone.includes(other));
        }
        const names = new Set(waiting.map(({ user }) => user));
        for (const name of [...passed.keys()]) if (!names.has(name)) passed.delete(name);
        for (const name of names) if (!passed.has(name)) passed.set(name, new Map());
        demand(
          queue.length === waiting.length && queue.size === sizeOf(() => true),
          'nothing lost, nothing doubled',
        );
        demand(queue.users === names.size, 'users are counted');
        demand(queue.size <= limits.total, 'bound of all');
        for (const name of names)
          demand(sizeOf(({ user }) => user === name) <= limits.user, 'bound of a user');
        for (const name of new Set(waiting.map(({ stream }) => stream)))
          demand(sizeOf(({ stream }) => stream === name) <= limits.stream, 'bound of a stream');
      }
      const some = queue.remove(({ user }) => user === 'a').length;
      demand(queue.length === waiting.length - some, 'what is removed is gone');
      demand(
        [...queue.heads()].length ===
          new Set(waiting.filter(({ user }) => user !== 'a').map(({ stream }) => stream)).size,
        'one head for each stream',
      );
    }),
    { numRuns: 400 },
  );
  t.pass('turns, bounds, nothing lost');
});

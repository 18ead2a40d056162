/** Tests how users share a limited number of slots: the share of each user, and that all work finally begins. */
import fc from 'fast-check';
import t from 'tap';
import { LongTime } from '../../src/common/long-time.js';
import { UserTurns, type UserTurnsBounds } from '../../src/common/user-turns.js';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Records users in the order in which their work began. The clock is stopped until the test advances it. */
const scene = (bounds: UserTurnsBounds) => {
  let now = 0;
  const turns = new UserTurns(bounds, () => now);
  const begun: string[] = [];
  const start = (uid: string, count = 1): void => {
    for (let index = 0; index < count; index++) {
      void (async () => {
        await turns.begin(uid);
        begun.push(uid);
      })();
    }
  };
  return {
    begun,
    start,
    end: async (uid: string) => {
      turns.end(uid);
      await settled();
    },
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
};

t.test('reserves a slot for users without running work', async (t) => {
  const { begun, start, end } = scene({ most: 4, mostOfUser: 2, kept: 1 });
  start('ann', 5);
  start('ben', 5);
  await settled();
  t.same(begun, ['ann', 'ann', 'ben']);
  start('eva', 2);
  await settled();
  t.same(begun.slice(3), ['eva']);
  await end('ann');
  t.same(begun.slice(4), [], 'three slots are used, and the fourth is reserved');
  await end('ben');
  t.same(begun.slice(4).toSorted(), ['ann', 'ben'], 'a user without running work may use it');
});

t.test('reserves a slot for users with short work while many new users have long work', async (t) => {
  const { begun, start, end, pass } = scene({
    ...{ most: 4, mostOfUser: 2, kept: 1, proven: 1 },
    long: { most: 1, ordinary: 100 },
  });
  start('ann');
  await settled();
  pass(50);
  await end('ann');
  begun.length = 0;
  for (const uid of ['new 1', 'new 2', 'new 3', 'new 4']) start(uid);
  await settled();
  t.same(begun, ['new 1', 'new 2', 'new 3'], 'the fourth new user waits');
  start('ann');
  await settled();
  t.same(begun.slice(3), ['ann'], 'a user whose last work was short gets the reserved slot');
  pass(200);
  await end('ann');
  start('ann');
  await settled();
  t.same(begun.slice(4), [], 'after long work a user no longer gets it');
  await end('new 1');
  t.same(begun.slice(4), ['new 4'], 'and waits behind the others');
});

t.test('new users get their turns while proven users always wait', async (t) => {
  const { begun, start, end, pass } = scene({
    ...{ most: 4, mostOfUser: 2, kept: 1, proven: 1 },
    long: { most: 1, ordinary: 100 },
  });
  const proven = ['ann', 'ben', 'cid', 'dan', 'eva'];
  for (const uid of proven) {
    start(uid);
    await settled();
    await end(uid);
  }
  begun.length = 0;
  for (const uid of proven) start(uid, 10);
  start('new');
  await settled();
  const running = begun.slice();
  for (let turn = 0; turn < 20 && !begun.includes('new'); turn++) {
    pass(10);
    await end(running.shift()!);
    running.push(...begun.slice(4 + turn));
  }
  t.ok(begun.includes('new'), `in turn: ${begun.join(' ')}`);
});

t.test('users with running long work do not use the slot of proven users', async (t) => {
  const { begun, start, end, pass } = scene({
    ...{ most: 4, mostOfUser: 2, kept: 1, proven: 1 },
    long: { most: 4, ordinary: 100 },
  });
  for (const uid of ['slow 1', 'slow 2', 'ann']) {
    start(uid);
    await settled();
    await end(uid);
  }
  begun.length = 0;
  for (const uid of ['slow 1', 'slow 2']) start(uid);
  await settled();
  pass(200);
  for (const uid of ['new 1', 'new 2', 'slow 1']) start(uid);
  await settled();
  t.same(begun, ['slow 1', 'slow 2', 'new 1']);
  start('ann');
  await settled();
  t.same(begun.slice(3), ['ann']);
});

t.test('lets two users leave the last slot to a new user', async (t) => {
  const { begun, start } = scene({
    ...{ most: 4, mostOfUser: 2, kept: 1, proven: 1 },
    long: { most: 1, ordinary: 100 },
  });
  start('slow 1', 2);
  start('slow 2', 2);
  start('new');
  await settled();
  t.same(begun, ['slow 1', 'slow 1', 'slow 2', 'new']);
});

t.test('users with long work share their places, until it is forgotten', async (t) => {
  const { begun, start, end, pass } = scene({ most: 4, mostOfUser: 2, long: { most: 1, ordinary: 100 } });
  for (const uid of ['slow', 'late']) {
    start(uid);
    await settled();
    pass(2000);
    await end(uid);
  }
  begun.length = 0;
  start('slow', 2);
  start('late', 2);
  start('ann', 2);
  await settled();
  t.same(begun, ['slow', 'ann', 'ann']);
  await end('slow');
  t.same(begun.slice(3), ['slow'], 'the next waiting user');
  await end('slow');
  t.same(begun.slice(4), ['late'], 'in turn');
  start('slow', 2);
  await settled();
  t.same(begun.slice(5), [], 'one slot for both users');
  pass(300_000);
  await end('ann');
  t.same(begun.slice(5), ['slow', 'slow'], 'all slots are available to them again');
});

t.test('exceeds no limit and starts all work once slots are free', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        most: fc.integer({ min: 1, max: 6 }),
        mostOfUser: fc.integer({ min: 1, max: 6 }),
        kept: fc.integer({ min: 0, max: 1 }),
        isLong: fc.boolean(),
        proven: fc.integer({ min: 0, max: 1 }),
      }),
      fc.array(fc.tuple(fc.nat(3), fc.nat(3000)), { maxLength: 40 }),
      async ({ most, mostOfUser, kept, isLong, proven }, given) => {
        let now = 0;
        const bounds = {
          most,
          mostOfUser,
          kept: most > 1 ? kept : 0,
          ...(isLong && { long: { most: 1, ordinary: 100 }, proven: most > 2 ? proven : 0 }),
        };
        const turns = new UserTurns(bounds, () => now);
        const running: { readonly uid: string; readonly until: number }[] = [];
        let begun = 0;
        for (const [user, length] of given) {
          const uid = `user ${user}`;
          void (async () => {
            await turns.begin(uid);
            begun++;
            running.push({ uid, until: now + length });
          })();
          await settled();
        }
        while (running.length > 0) {
          if (running.length > most) return false;
          const uids = running.map(({ uid }) => uid);
          if (uids.some((uid) => uids.filter((other) => other === uid).length > mostOfUser)) return false;
          running.sort((one, other) => one.until - other.until);
          const { uid, until } = running.shift()!;
          now = Math.max(now, until);
          turns.end(uid);
          await settled();
        }
        return begun === given.length;
      },
    ),
    { numRuns: 200 },
  );
  t.pass();
});

t.test('many runs slightly over the ordinary length do not count as long work', async (t) => {
  const times = new LongTime(250);
  let now = 0;
  const turn = (name: string, milliseconds: number): void => {
    now += milliseconds;
    times.add(name, now - milliseconds, now);
  };
  for (let index = 0; index < 50; index++) turn('busy', 400);
  t.equal(times.isLong('busy', 0, now), false);
  turn('new', 1400);
  t.equal(times.isLong('new', 0, now), true, 'most of its time is beyond that of an ordinary turn');
  for (let index = 0; index < 20; index++) turn('new', 100);
  t.equal(times.isLong('new', 0, now), false, 'ordinary turns make up for a long one');
  for (let index = 0; index < 1000; index++) turn('hidden', index % 100 === 0 ? 5000 : 1);
  t.equal(times.isLong('hidden', 0, now), true, 'quick turns do not hide long ones');
  t.equal(times.isLong('first', 1001, now), true, 'what is under way counts');
  t.same(times.names(now), ['hidden']);
  now += 600_000;
  t.same(times.names(now), []);
});

/** Tests that database connections remain for other users, even if one user sends many slow requests. */
import t from 'tap';
import { FairTurns } from '../../../src/sidecar/turns/fair-turns.js';
import { untilBlocked } from '../../support/database/database.js';
import { until } from '../../support/until.js';
import { startApi } from '../support.js';

/**
 * Makes a queue of slots. `begun` lists the work that has started, and `end` finishes a piece of work. `pass` moves
 * the clock.
 */
const scene = (connections: number) => {
  let now = 0;
  const turns = new FairTurns(connections, () => now);
  const begun: string[] = [];
  const ends = new Map<string, (failure?: Error) => void>();
  const start = async (uid: string, name: string, operation = name): Promise<void> => {
    const turn = await turns.begin(uid, operation);
    try {
      await new Promise<void>((resolve, reject) => {
        begun.push(name);
        ends.set(name, (failure) => (failure ? reject(failure) : resolve()));
      });
    } finally {
      turns.end(turn);
    }
  };
  return {
    begun,
    start,
    end: async (name: string, failure?: Error) => {
      ends.get(name)!(failure);
      await settled();
    },
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
};

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Number of connections, then the maximum numbers of simultaneous requests: in total, per user, and per operation. */
const shares = [
  [1, 1, 1, 1],
  [2, 1, 1, 1],
  [3, 2, 1, 1],
  [4, 3, 1, 2],
  [8, 7, 3, 5],
  [16, 15, 7, 10],
] as const;

t.test('limits the simultaneous requests in total, per user and per operation', async (t) => {
  for (const [connections, most, mostOfUser, mostOfOperation] of shares) {
    const one = scene(connections);
    for (let index = 0; index < 40; index++) one.start('ann', `ann ${index}`);
    await settled();
    t.equal(one.begun.length, mostOfUser, `${connections} connections, one user`);
    const many = scene(connections);
    for (let index = 0; index < 40; index++) many.start(`user ${index}`, `${index}`);
    await settled();
    t.equal(many.begun.length, most, `${connections} connections, many users`);
    const alike = scene(connections);
    for (let index = 0; index < 40; index++) alike.start(`user ${index}`, `${index}`, 'search');
    await settled();
    t.equal(alike.begun.length, mostOfOperation, `${connections} connections, one operation`);
  }
});

t.test('two users leave a slot to a third', async (t) => {
  for (const [connections, most] of shares.filter(([, turns]) => turns > 2)) {
    const { begun, start } = scene(connections);
    for (let index = 0; index < 40; index++) {
      start('ann', `ann ${index}`);
      start('ben', `ben ${index}`);
    }
    await settled();
    t.ok(begun.length < most, `${begun.length} of ${most}`);
    start('eva', 'eva');
    await settled();
    t.equal(begun.at(-1), 'eva');
  }
});

t.test('users take turns', async (t) => {
  const { begun, start, end } = scene(2);
  for (const name of ['a1', 'a2', 'a3']) start('ann', name);
  start('ben', 'b1');
  start('eva', 'e1');
  await settled();
  for (const [ended, next] of [
    ['a1', 'a2'],
    ['a2', 'b1'],
    ['b1', 'e1'],
    ['e1', 'a3'],
  ] as const) {
    await end(ended);
    t.equal(begun.at(-1), next);
  }
});

t.test('a waiting request starts as soon as its limits allow', async (t) => {
  const { begun, start, end } = scene(8);
  for (let index = 0; index < 6; index++) start(`user ${index}`, `${index}`, 'search');
  for (const name of ['a1', 'a2', 'a3']) start('ann', name, name === 'a3' ? 'search' : name);
  await settled();
  t.same(
    begun,
    ['0', '1', '2', '3', '4', 'a1', 'a2'],
    "a user's other operations do not wait for a full one",
  );
  await end('0');
  await end('a1');
  t.same(begun.slice(7).sort(), ['5'], 'searches use all their slots');
  await end('1');
  t.equal(begun.at(-1), 'a3');
});

t.test('users with slow requests share a third of the slots, and so do slow operations', async (t) => {
  for (const who of ['users', 'operations'] as const) {
    const { begun, start, end, pass } = scene(8);
    const slow = (index: number) =>
      who === 'users'
        ? ([`slow ${index}`, `slow ${index} ${begun.length}`] as const)
        : ([`new ${index} ${begun.length}`, `slow ${index} ${begun.length}`, `slow ${index}`] as const);
    for (let index = 0; index < 7; index++) {
      const [of, called, as] = slow(index);
      start(of, called, as);
    }
    await settled();
    t.equal(begun.length, 7, `${who}: not yet known to be slow`);
    pass(2000);
    for (const one of [...begun]) await end(one);
    const before = begun.length;
    for (let index = 0; index < 7; index++) {
      const [of, called, as] = slow(index);
      start(of, `again ${called}`, as);
    }
    await settled();
    t.equal(begun.length - before, 2, `${who}: slow ones start only two of seven requests`);
    start('eva', 'eva');
    await settled();
    t.equal(begun.at(-1), 'eva', `${who}: another user comes before waiting requests`);
    // These requests were slow in the first round, and now end quickly. So the queue no longer treats them as slow.
    for (let at = before; at < begun.length; at++) await end(begun[at]!);
    pass(120_000);
    const later = begun.length;
    for (let index = 0; index < 7; index++) {
      const [of, called, as] = slow(index);
      start(of, `later ${called}`, as);
    }
    await settled();
    t.equal(begun.length - later, 7, `${who}: forgotten after quick requests`);
  }
});

t.test('a slow request counts before it ends', async (t) => {
  const { begun, start, pass } = scene(8);
  for (let index = 0; index < 2; index++) {
    start('ann', `a${index}`);
    start('ben', `b${index}`);
  }
  await settled();
  pass(2000);
  for (const uid of ['ann', 'ben']) start(uid, `${uid} again`);
  await settled();
  t.same(begun, ['a0', 'b0', 'a1', 'b1'], 'both users hold more than a third of the slots');
  for (const uid of ['eva', 'uta']) start(uid, uid);
  await settled();
  t.same(begun.slice(4), ['eva', 'uta']);
});

t.test('reads few parts of long answers at once, and pauses between them', async (t) => {
  let now = 0;
  const turns = new FairTurns(8, () => now, 1);
  const ends: (() => void)[] = [];
  const begun: string[] = [];
  const part = (uid: string): Promise<void> =>
    turns.duringPart(uid, 'list', () => {
      begun.push(uid);
      return new Promise((resolve) => ends.push(resolve));
    });
  const parts = ['ann', 'bob', 'bob', 'cid'].map(part);
  await settled();
  t.same(begun, ['ann']);
  const other = await turns.during('dan', 'list', async () => 'read');
  t.equal(other, 'read', 'other work does not wait for parts');
  now += 60;
  const ended = performance.now();
  ends[0]!();
  await parts[0];
  await settled();
  t.same(begun, ['ann'], 'the part ended, and a pause follows');
  await until(() => begun.length === 2);
  t.ok(performance.now() - ended > 50, 'the pause is as long as the part');
  t.same(begun, ['ann', 'bob'], 'users take turns');
  ends[1]!();
  await until(() => begun.length === 3);
  ends[2]!();
  await until(() => begun.length === 4);
  ends[3]!();
  await Promise.all(parts);
  t.same(begun, ['ann', 'bob', 'cid', 'bob']);
});

/** Makes turns with one slot for parts, and a function that reads a short part. */
const partScene = () => {
  const turns = new FairTurns(4, () => 0, 1);
  const begun: string[] = [];
  const part = (uid: string, signal?: AbortSignal): Promise<void> =>
    turns.duringPart(uid, 'list', async () => void begun.push(uid), signal);
  return { turns, begun, part };
};

t.test('a part that waits for its turn delays no parts of other users', async (t) => {
  const { turns, begun, part } = partScene();
  const busy = await turns.begin('ann', 'other');
  const parts = [part('ann')];
  await settled();
  t.same(begun, [], 'all turns of the user are used');
  parts.push(part('ben'));
  await until(() => begun.length === 1);
  t.same(begun, ['ben']);
  turns.end(busy);
  await Promise.all(parts);
  t.same(begun, ['ben', 'ann']);
});

t.test('an abandoned part leaves the queue', async (t) => {
  const { turns, begun, part } = partScene();
  const busy = await turns.begin('ann', 'other');
  const leaving = new AbortController();
  const left = Array.from({ length: 9 }, () => part('ann', leaving.signal));
  const last = part('ann');
  leaving.abort(new Error('left'));
  for (const one of left) await t.rejects(one, { message: 'left' });
  await t.rejects(part('ann', leaving.signal), { message: 'left' });
  turns.end(busy);
  await last;
  t.same(begun, ['ann'], 'one part is read');
});

t.test('work that fails ends its turn', async (t) => {
  const { begun, start, end } = scene(1);
  const failing = start('ann', 'a1');
  start('ann', 'a2');
  await settled();
  void end('a1', new Error('failed'));
  await t.rejects(failing, { message: 'failed' });
  await settled();
  t.same(begun, ['a1', 'a2']);
});

t.test('users whose requests all wait for a lock do not delay another user', async (t) => {
  const api = await startApi(t);
  const [ann, ben, eva] = [await api.person(), await api.person(), await api.person()];
  let answered = 0;
  const { pending } = await api.sql.begin(async (transaction) => {
    const pending: Promise<number>[] = [];
    for (const { uid, token } of [ann, ben]) {
      await transaction`select pg_advisory_xact_lock(hashtextextended(${`posts ${uid}`}, 0))`;
      for (let count = 0; count < 12; count++) {
        const body = { kind: 'tweet', text: 'Hello' };
        pending.push(
          api.call('/v1/posts', { credential: token, body }).then(({ status }) => {
            answered++;
            return status;
          }),
        );
      }
    }
    await untilBlocked(api.sql);
    for (let count = 0; count < 5; count++)
      t.equal((await api.call('/v1/users/settings', { credential: eva.token })).status, 200);
    t.equal(answered, 0, 'all requests of the other users still wait');
    return { pending };
  });
  t.same(await Promise.all(pending), Array(24).fill(200), 'they are answered after the lock is released');
});

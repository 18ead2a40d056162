/**
 * Tests that few requests with long bodies run at the same time, that users take turns, and that short requests do not
 * wait.
 */
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { z } from 'zod';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import type { CochleaError } from '../../../src/errors/cochlea-error.js';
import { readJson } from '../../../src/service/text/read-json.js';
import { developerKey } from '../../../src/sidecar/access/access.js';
import { type Route, route } from '../../../src/sidecar/frame/route.js';
import { FairTurns } from '../../../src/sidecar/turns/fair-turns.js';
import { LongBodies, RequestLeft } from '../../../src/sidecar/turns/long-bodies.js';
import { until } from '../../support/until.js';
import { type AppOptions, appOf } from '../frame/frame-support.js';

/** Starts an application. Its handler records the request's name, and waits until `end` names it. */
const start = async (t: Test, options: AppOptions = {}, declared: Partial<Route> = {}) => {
  const begun: string[] = [];
  const ends = new Map<string, (failure?: Error) => void>();
  const store = route({
    method: 'POST',
    url: '/store',
    operationId: 'store',
    tag: 'Conversations',
    summary: 'Of the test',
    access: developerKey('conversations:write'),
    limits: [],
    body: z.object({ name: z.string().max(20), text: z.string() }),
    bodyLimit: 20_000_000,
    alsoAnswers: [503],
    answer: z.object({ name: z.string() }),
    handle: async ({ body: { name } }) => {
      begun.push(name);
      if (name.startsWith('at once')) return { name };
      await new Promise<void>((resolve, reject) => {
        ends.set(name, (failure) => (failure ? reject(failure) : resolve()));
      });
      return { name };
    },
  });
  const app = appOf([{ ...store, ...declared }], {
    readsBodies: true,
    bodies: new LongBodies(1),
    turns: new FairTurns(20),
    checkAnswers: false,
    uidOf: (authorization) => authorization!,
    ...options,
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  t.teardown(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  const open = new Set<string>();
  /**
   * Sends a body. `status` resolves to the answer's status, or to `left` if the connection closes first. `leave`
   * disconnects.
   */
  const send = (authorization: string, name: string, bytes: number) => {
    const body = JSON.stringify({ name, text: 'x'.repeat(bytes) });
    const sending = request({
      ...{ host: '127.0.0.1', port, path: '/store', method: 'POST', agent: false },
      headers: { authorization, 'content-type': 'application/json' },
    });
    open.add(name);
    const status = new Promise<number | 'left'>((resolve) => {
      sending.on('response', (response) => {
        response.resume();
        resolve(response.statusCode!);
      });
      sending.on('error', () => resolve('left'));
    });
    // Only every second request has a Content-Length. A body of unknown length also needs a slot.
    if (open.size % 2 === 0) sending.setHeader('content-length', Buffer.byteLength(body));
    sending.end(body);
    return { status, leave: () => sending.destroy() };
  };
  const end = async (name: string, failure?: Error): Promise<void> => {
    await until(() => ends.has(name), `${name} has started`);
    ends.get(name)!(failure);
    ends.delete(name);
  };
  /** Ends every started request until `answered` resolves. */
  const endUntil = async (answered: Promise<unknown>): Promise<void> => {
    const ending = setInterval(() => {
      for (const name of ends.keys()) void end(name);
    }, 1);
    await answered;
    clearInterval(ending);
  };
  return { begun, send, end, endUntil };
};

const long = 100_000;
const short = 1000;

t.test('one long body runs at a time, users take turns, and short bodies do not wait', async (t) => {
  const { begun, send, end, endUntil } = await start(t);
  const all = [send('ann', 'a1', long)];
  await until(() => begun.length === 1);
  for (const name of ['a2', 'a3']) all.push(send('ann', name, long));
  all.push(send('ben', 'b1', long));
  all.push(send('ann', 'short a', short), send('eva', 'short e', short));
  await until(() => begun.length === 3);
  t.same(begun.slice(1).toSorted(), ['short a', 'short e'], 'only short bodies start beside the long one');
  await end('a1', new Error('a handler that fails'));
  const statuses = Promise.all(all.map(({ status }) => status));
  await endUntil(statuses);
  t.same(await statuses, [500, 200, 200, 200, 200, 200]);
  t.ok(begun.indexOf('b1') < 5, `a user with one body does not wait behind all bodies of another: ${begun}`);
});

t.test('a client that disconnects frees its slot', async (t) => {
  const { begun, send, end, endUntil } = await start(t);
  const first = send('ann', 'first', long);
  await until(() => begun.length === 1);
  const others = Array.from({ length: 50 }, (_, index) => {
    const { leave, status } = send(`user ${index % 7}`, `left ${index}`, long);
    setTimeout(leave, index / 2);
    return status;
  });
  first.leave();
  t.same([...new Set(await Promise.all([first.status, ...others]))], ['left']);
  t.same(begun, ['first'], 'the started request continues and keeps its slot');
  await end('first');
  const { status } = send('ben', 'last', long);
  await endUntil(status);
  t.equal(await status, 200);
});

t.test('limits the waiting bytes per user and in total', async (t) => {
  const { begun, send, endUntil } = await start(t);
  const { longBodiesPerUser, longBodies } = fixedLimits;
  const size = Math.floor(longBodiesPerUser.value / 2) - short;
  const taken = [send('ann', 'a1', size).status];
  await until(() => begun.length === 1);
  const ofUser = [1, 2].map((index) => send('ann', `more ${index}`, size).status);
  t.equal(await Promise.race(ofUser), 503, 'a user may have two of these bodies');
  const places = Math.floor(longBodies.value / size);
  const others = Array.from({ length: places }, (_, index) => send(`user ${index}`, `${index}`, size).status);
  t.equal(await Promise.race(others), 503, 'all users together may have sixteen');
  const all = Promise.all([...taken, ...ofUser, ...others]);
  await endUntil(all);
  const statuses = await all;
  t.same([...new Set(statuses)].toSorted(), [200, 503]);
  t.ok(statuses.filter((status) => status === 200).length >= places, 'accepted requests are served');
});

t.test('accepts the largest body of a user', async (t) => {
  const { send, endUntil } = await start(t);
  const { status } = send('ann', 'large', fixedLimits.longBodiesPerUser.value + 1000);
  await endUntil(status);
  t.equal(await status, 200);
});

t.test('a refused body frees its slot', async (t) => {
  const { send, endUntil } = await start(t);
  for (let count = 0; count < 3; count++) {
    t.equal(await send('ann', 'x'.repeat(long), 0).status, 422, 'its handler does not run');
  }
  const { status } = send('ann', 'last', long);
  await endUntil(status);
  t.equal(await status, 200);
});

t.test('a user whose requests wait for connections does not block the bodies of other users', async (t) => {
  // There are three slots for connections, and each user may use one.
  const { begun, send, end, endUntil } = await start(t, { turns: new FairTurns(4) });
  const all = [send('ann', 'slow', short)];
  await until(() => begun.length === 1);
  all.push(send('ann', 'long', long));
  t.equal(await send('ben', 'at once', long).status, 200);
  t.same(begun, ['slow', 'at once'], 'the long body still waits');
  await end('slow');
  const statuses = Promise.all(all.map(({ status }) => status));
  await endUntil(statuses);
  t.same(await statuses, [200, 200]);
  const last = send('ann', 'last', long);
  await endUntil(last.status);
  t.equal(await last.status, 200, 'its slot is free again');
});

t.test('a handler that needs no connection occupies no slot', async (t) => {
  const { begun, send, endUntil } = await start(t, {}, { withoutTurn: true });
  const all = Array.from({ length: 5 }, (_, index) => send(`user ${index % 2}`, `${index}`, long).status);
  await until(() => begun.length === all.length);
  const statuses = Promise.all(all);
  await endUntil(statuses);
  t.same(await statuses, [200, 200, 200, 200, 200]);
});

t.test(
  "a disconnected client's body keeps its slot until it is read, and its handler does not run",
  async (t) => {
    const reads: (() => void)[] = [];
    const readLong = async (bytes: Uint8Array) => {
      await new Promise<void>((resolve) => reads.push(resolve));
      return readJson(bytes);
    };
    const { begun, send } = await start(t, { readLong });
    const left = send('ann', 'at once a', long);
    await until(() => reads.length === 1);
    left.leave();
    t.equal(await left.status, 'left');
    const { status } = send('ben', 'at once b', long);
    t.equal(await send('ben', 'at once c', short).status, 200);
    t.equal(reads.length, 1, 'no other long body is read at the same time');
    reads[0]!();
    await until(() => reads.length === 2);
    reads[1]!();
    t.equal(await status, 200);
    t.same(begun, ['at once c', 'at once b']);
  },
);

t.test('a request that closes when its slot becomes free returns the slot', async (t) => {
  const bodies = new LongBodies(1);
  const [first, next, last] = [bodies.turn(), bodies.turn(), bodies.turn()];
  await first.begin('ann', long);
  const begins = next.begin('ben', long);
  first.end();
  next.close();
  await t.rejects(begins, RequestLeft);
  await last.begin('eva', long);
  last.end();
});

t.test('refuses a waiting request of a user with the most bytes to make room for another user', async (t) => {
  const { longBodies, longBodiesPerUser } = fixedLimits;
  const bodies = new LongBodies(1);
  const size = longBodiesPerUser.value / 4;
  const users = longBodies.value / longBodiesPerUser.value;
  const first = bodies.turn();
  await first.begin('first', size);
  const outcomes: string[] = [];
  const begin = async (uid: string): Promise<void> => {
    const turn = bodies.turn();
    try {
      await turn.begin(uid, size);
      outcomes.push(uid);
    } catch (error) {
      outcomes.push(`${uid}: ${(error as CochleaError).code}`);
    }
    turn.end();
  };
  const waiting = Array.from({ length: 4 * users - 1 }, (_, index) => begin(`user ${index % users}`));
  await setImmediate();
  t.same(outcomes, []);
  waiting.push(begin('eva'));
  await setImmediate();
  t.same(outcomes, ['user 0: texts_full'], 'a request of a user with the most bytes');
  first.end();
  await Promise.all(waiting);
  t.equal(outcomes.filter((outcome) => outcome.includes(':')).length, 1);
  t.ok(outcomes.includes('eva'));
  const all = bodies.turn();
  await all.begin('all', longBodies.value);
  t.pass('all bytes are free again');
  all.end();
});

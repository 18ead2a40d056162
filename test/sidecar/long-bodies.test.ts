/** Requests with long bodies have few turns at once, users in turn, and take none of requests with short bodies. */
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { z } from 'zod';
import { fixedLimits } from '../../src/config/limits.js';
import { developerKey } from '../../src/sidecar/frame/access.js';
import { route } from '../../src/sidecar/frame/route.js';
import { FairTurns, LongBodies } from '../../src/sidecar/turns/index.js';
import { until } from '../support/until.js';
import { appOf } from './frame-support.js';

/** An application whose handler ends when it is told to. */
const start = async (t: Test) => {
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
      await new Promise<void>((resolve, reject) => {
        ends.set(name, (failure) => (failure ? reject(failure) : resolve()));
      });
      return { name };
    },
  });
  const app = appOf([store], {
    readsBodies: true,
    bodies: new LongBodies(1),
    turns: new FairTurns(20),
    checkAnswers: false,
    uidOf: (authorization) => authorization!,
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  t.teardown(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  const open = new Set<string>();
  /** Sends a body. @returns what leaves, and the status, or `left`. */
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
    // Without a length for every second one: what may be long has a turn, too.
    if (open.size % 2 === 0) sending.setHeader('content-length', Buffer.byteLength(body));
    sending.end(body);
    return { status, leave: () => sending.destroy() };
  };
  const end = async (name: string, failure?: Error): Promise<void> => {
    await until(() => ends.has(name), `${name} has begun`);
    ends.get(name)!(failure);
    ends.delete(name);
  };
  /** Ends what has begun, and what begins, until some requests are answered. */
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

t.test('long bodies have one turn, users in turn; short ones have theirs', async (t) => {
  const { begun, send, end, endUntil } = await start(t);
  const all = [send('ann', 'a1', long)];
  await until(() => begun.length === 1);
  for (const name of ['a2', 'a3']) all.push(send('ann', name, long));
  all.push(send('ben', 'b1', long));
  all.push(send('ann', 'short a', short), send('eva', 'short e', short));
  await until(() => begun.length === 3);
  t.same(begun.slice(1).toSorted(), ['short a', 'short e'], 'no long body has a turn beside');
  await end('a1', new Error('a handler that fails'));
  const statuses = Promise.all(all.map(({ status }) => status));
  await endUntil(statuses);
  t.same(await statuses, [500, 200, 200, 200, 200, 200]);
  t.ok(begun.indexOf('b1') < 5, `a user with one body is not behind all of another: ${begun}`);
});

t.test('a client that leaves gives its turn back', async (t) => {
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
  t.same(begun, ['first'], 'what was begun goes on, and keeps its turn');
  await end('first');
  const { status } = send('ben', 'last', long);
  await endUntil(status);
  t.equal(await status, 200);
});

t.test('what waits is bounded', async (t) => {
  const { begun, send, endUntil } = await start(t);
  const { longBodiesPerUser, longBodies } = fixedLimits;
  const size = Math.floor(longBodiesPerUser.value / 2) - short;
  const taken = [send('ann', 'a1', size).status];
  await until(() => begun.length === 1);
  const ofUser = [1, 2].map((index) => send('ann', `more ${index}`, size).status);
  t.equal(await Promise.race(ofUser), 503, 'a user has no more than two of these');
  const places = Math.floor(longBodies.value / size);
  const others = Array.from({ length: places }, (_, index) => send(`user ${index}`, `${index}`, size).status);
  t.equal(await Promise.race(others), 503, 'all users together have no more than sixteen');
  const all = Promise.all([...taken, ...ofUser, ...others]);
  await endUntil(all);
  const statuses = await all;
  t.same([...new Set(statuses)].toSorted(), [200, 503]);
  t.ok(statuses.filter((status) => status === 200).length >= places, 'what has a place is served');
});

t.test('the largest body of a user has a place', async (t) => {
  const { send, endUntil } = await start(t);
  const { status } = send('ann', 'large', fixedLimits.longBodiesPerUser.value + 1000);
  await endUntil(status);
  t.equal(await status, 200);
});

t.test('a body that is refused gives its turn back', async (t) => {
  const { send, endUntil } = await start(t);
  for (let count = 0; count < 3; count++) {
    t.equal(await send('ann', 'x'.repeat(long), 0).status, 422, 'its handler does not run');
  }
  const { status } = send('ann', 'last', long);
  await endUntil(status);
  t.equal(await status, 200);
});

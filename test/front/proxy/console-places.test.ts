/**
 * Requests for the console have their own slots. Several people behind one address can load its pages at the same time.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import t, { type Test } from 'tap';
import { until } from '../../support/until.js';
import { listening, startRig } from '../support.js';

/** Starts an engine whose sidecar answers `/now` at once, and other requests when `release` is called. */
const start = async (t: Test, settings = {}) => {
  const held: ServerResponse[] = [];
  let released = false;
  const upstream = createServer((message: IncomingMessage, response) => {
    if (released || message.url!.endsWith('/now')) response.end('ok');
    else held.push(response);
  });
  const sidecar = await listening(t, upstream);
  const rig = await startRig(t, { sidecar, settings });
  /** @param isComplete whether the request has no body. Otherwise its body never ends. */
  const send = (path: string, address: string, isComplete = true): Promise<number> => {
    // Behind a proxy on this machine, the limits use the client's own address.
    const sent = request(`http://${rig.origin}${path}`, {
      method: isComplete ? 'GET' : 'POST',
      headers: { 'x-forwarded-for': address, ...(!isComplete && { 'content-length': '1000' }) },
      agent: false,
    });
    t.teardown(() => sent.destroy());
    sent.on('error', () => undefined);
    const status = once(sent, 'response').then(([answer]) => {
      answer.resume();
      return answer.statusCode as number;
    });
    status.catch(() => undefined);
    if (isComplete) sent.end();
    else sent.write(' ');
    return status;
  };
  const release = (): void => {
    released = true;
    for (const response of held.splice(0)) response.end('ok');
  };
  return { send, held, release };
};

t.test('ten browsers behind one address load pages at once', async (t) => {
  const { send, held, release } = await start(t);
  const statuses = Array.from({ length: 60 }, (_, index) => send(`/console/file-${index}.js`, '192.0.2.1'));
  await until(() => held.length === 60, 'all reach the sidecar');
  t.equal(await send('/now', '192.0.2.1'), 200, 'other requests of the address have their own slots');
  release();
  t.ok((await Promise.all(statuses)).every((status) => status === 200));
});

t.test('slow clients of one address delay no other address', async (t) => {
  const { send, held } = await start(t);
  for (let index = 0; index < 64; index++) void send('/console/api/export', '192.0.2.1');
  await until(() => held.length === 64, 'as many as an address may send');
  t.equal(await send('/console/api/export', '192.0.2.1'), 503);
  void send('/console/api/me', '192.0.2.2');
  await until(() => held.length === 65, 'the request of another address reaches the sidecar at once');
});

t.test('the slots are limited in total and for each address', async (t) => {
  const { send, held } = await start(t, { maxConsoleRequests: 3, maxConsoleRequestsPerAddress: 2 });
  void send('/console/api/me', '192.0.2.1');
  void send('/console', '192.0.2.1');
  await until(() => held.length === 2, 'two are under way');
  t.equal(await send('/console/api/me', '192.0.2.1'), 503, 'a third one of the address');
  t.equal(await send('/%63onsole/api/me', '192.0.2.1'), 503, 'also if its path is spelled differently');
  void send('/console/api/me', '192.0.2.2');
  await until(() => held.length === 3, 'another address has its own');
  t.equal(await send('/console/api/me', '192.0.2.3'), 503, 'none is left');
  void send('/consoles', '192.0.2.3');
  await until(() => held.length === 4, 'another path is no path of the console');
});

t.test('bodies that never end do not keep the last slots from other addresses', async (t) => {
  const { send, held } = await start(t, { maxConsoleRequests: 5, maxConsoleRequestsPerAddress: 2 });
  const [first, second] = ['192.0.2.1', '192.0.2.2'];
  const slow = [first, first, second, second].map((address) => send('/console/api/folders', address, false));
  await until(() => held.length === 4, 'one slot is left');
  void send('/console/api/me', '192.0.2.3');
  await until(() => held.length === 5, 'all slots are taken');
  await until(async () => (await send('/console/now', '192.0.2.4')) === 200, 'a slot becomes free');
  t.equal(await Promise.race(slow), 408, 'the slow request is told');
});

t.test('a slow body stays if its address has no more slots than others', async (t) => {
  const { send, held } = await start(t, { maxConsoleRequests: 2, maxConsoleRequestsPerAddress: 2 });
  void send('/console/api/folders', '192.0.2.1', false);
  void send('/console/api/folders', '192.0.2.2', false);
  await until(() => held.length === 2, 'all slots are taken');
  const began = performance.now();
  await until(() => performance.now() - began > 1500, 'the bodies are late');
  t.equal(await send('/console/api/me', '192.0.2.3'), 503);
});

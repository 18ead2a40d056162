/** Uploads have their own slots and limits. Any number of uploads leaves other requests unaffected, and vice versa. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import t, { type Test } from 'tap';
import { importPath, uploadPath } from '../../../src/wire/upload-path.js';
import { until } from '../../support/until.js';
import { listening, startRig } from '../support.js';

/** Returns a function that starts an upload: it announces a large body, and sends a part of it. */
const uploader =
  (t: Test, origin: string) =>
  (address: string, part = 0) => {
    const headers = {
      'x-forwarded-for': address,
      'content-length': '50000',
      // With `close`, a refusal would wait for the body.
      connection: 'keep-alive',
    };
    const sent = request(`http://${origin}${uploadPath}`, { method: 'POST', headers, agent: false });
    t.teardown(() => sent.destroy());
    sent.on('error', () => undefined);
    const status = once(sent, 'response').then(([answer]) => {
      answer.resume();
      return answer.statusCode as number;
    });
    status.catch(() => undefined);
    // Unread bytes of a refused request can reset its connection before the client reads the answer.
    if (part === 0) sent.flushHeaders();
    else sent.write(Buffer.alloc(part));
    return { status, end: () => sent.end(Buffer.alloc(50_000 - part)) };
  };

t.test('uploads use no slots of other requests', async (t) => {
  let held = 0;
  const upstream = createServer((message, response) => {
    message.resume();
    if (message.url === '/slow' || (message.url === uploadPath && message.method === 'POST')) held++;
    else response.end('ok');
  });
  const sidecar = await listening(t, upstream);
  const rig = await startRig(t, {
    sidecar,
    settings: {
      maxProxied: 2,
      maxUploads: 2,
      maxUploadsPerAddress: 1,
      maxProxiedBody: 1000,
      uploadSize: 100_000,
    },
  });
  const send = (path: string, method: string, body = '', headers: Record<string, string> = {}) => {
    const sent = request(`http://${rig.origin}${path}`, { method, headers, agent: false });
    t.teardown(() => sent.destroy());
    sent.on('error', () => undefined);
    const status = once(sent, 'response').then(([answer]) => {
      answer.resume();
      return answer.statusCode as number;
    });
    status.catch(() => undefined);
    sent.end(body);
    return status;
  };
  /** Returns the headers of a client behind a proxy, so that the limits use the client's own address. */
  const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });

  void send(uploadPath, 'POST', 'x'.repeat(50_000), from('192.0.2.1'));
  await until(() => held === 1, 'the first upload is under way');
  t.equal(await send(uploadPath, 'POST', 'x', from('192.0.2.1')), 503, 'one address has its part of them');
  void send(uploadPath, 'POST', 'x', from('192.0.2.2'));
  await until(() => held === 2, 'another one has its own');
  t.equal(await send(uploadPath, 'POST', 'x', from('192.0.2.3')), 503, 'a third upload has no place');
  t.equal(await send(importPath, 'POST', 'x', from('192.0.2.4')), 503, 'files of the console are uploads');
  t.equal(await send(importPath, 'GET', '', from('192.0.2.4')), 200);
  t.equal(await send('/v1/any', 'GET'), 200, 'other requests have theirs');
  t.equal(await send(uploadPath, 'GET'), 200, 'also those of the same path that are no upload');
  t.equal(await send('/v1/any', 'POST', 'x'.repeat(2000)), 413, 'the larger bound is for uploads only');
  t.equal(await send(uploadPath, 'POST', 'x'.repeat(200_000), from('192.0.2.9')), 413);

  void send('/slow', 'GET');
  void send('/slow', 'GET');
  await until(() => held === 4, 'other requests are under way');
  t.equal(await send('/v1/any', 'GET'), 503, 'they take no place of uploads either');
});

t.test('aborts the slowest upload when other uploads find no slot', async (t) => {
  let whole = 0;
  const upstream = createServer((message, response) => {
    message.resume();
    message.once('end', () => {
      whole++;
      response.end('ok');
    });
  });
  const sidecar = await listening(t, upstream);
  const rig = await startRig(t, {
    sidecar,
    settings: {
      maxUploads: 2,
      maxUploadsPerAddress: 1,
      slowestBody: 1,
      uploadRate: 100,
      uploadSize: 100_000,
    },
  });
  const begin = uploader(t, rig.origin);
  const slow = begin('192.0.2.1', 200);
  const fast = begin('192.0.2.2', 40_000);
  const active = (): number =>
    rig.metrics.get('proxied_requests_total') - rig.metrics.get('proxied_refused_total');
  await until(() => active() === 2, 'both are under way');
  t.equal(await begin('192.0.2.3').status, 503, 'no rate is judged at first');
  const refused = rig.metrics.get('proxied_refused_total');
  let third = begin('192.0.2.3');
  await until(async () => {
    const status = await Promise.race([third.status, slow.status]);
    if (status !== 503) return true;
    third = begin('192.0.2.3');
    return false;
  }, 'the slow one has given way');
  t.ok(rig.metrics.get('proxied_refused_total') > refused, 'its rate counts after a while');
  t.equal(await slow.status, 408);
  t.equal(await begin('192.0.2.4').status, 503, 'while that one is new, no other gives way');
  third.end();
  t.equal(await third.status, 200, 'the next one has its place');
  fast.end();
  t.equal(await fast.status, 200, 'a faster one keeps its own');
  t.equal(whole, 2);
});

t.test('slow uploads of clients that begin in turn do not keep the slots from another client', async (t) => {
  const upstream = createServer((message, response) => {
    message.resume();
    message.once('end', () => response.end('ok'));
  });
  const sidecar = await listening(t, upstream);
  const rig = await startRig(t, {
    sidecar,
    settings: {
      maxUploads: 3,
      maxUploadsPerAddress: 2,
      slowestBody: 1,
      uploadRate: 1000,
      uploadSize: 100_000,
    },
  });
  const begin = uploader(t, rig.origin);
  const active = (): number =>
    rig.metrics.get('proxied_requests_total') - rig.metrics.get('proxied_refused_total');
  const slow = [begin('192.0.2.1'), begin('192.0.2.1')];
  await until(() => active() === 2, 'two slow uploads of one client are under way');
  const began = performance.now();
  await until(() => performance.now() - began > 10_500, 'their rate counts', 15_000);
  const newest = begin('192.0.2.2');
  await until(() => active() === 3, 'another one has just begun');
  const wanted = begin('192.0.2.3');
  t.equal(
    await Promise.race(slow.map(({ status }) => status)),
    408,
    'the client with the most slots loses one',
  );
  wanted.end();
  t.equal(await wanted.status, 200);
  newest.end();
  t.equal(await newest.status, 200, 'the new one stays');
});

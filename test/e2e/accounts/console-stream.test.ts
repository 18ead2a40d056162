/** A browser's way from a link of `cochlea console` to an open stream, through the engine's port. */
import { once } from 'node:events';
import t from 'tap';
import { WebSocket } from 'ws';
import { serviceOnTestDatabase } from '../../support/service.js';
import { until } from '../../support/until.js';

t.test('a link opens a session, whose tokens open and continue a stream', async (t) => {
  const service = await serviceOnTestDatabase(t, { COCHLEA_STT: 'discard' });
  const { base } = service;
  const { uid } = await service.user('ann');
  const { address } = JSON.parse(await service.cochlea('console', '--uid', uid, '--json')) as {
    address: string;
  };
  t.equal((await fetch(address)).status, 200, 'the page of the link');
  t.match(address, `${base}/console/enter#`);

  const page = { origin: base, 'sec-fetch-site': 'same-origin', 'x-cochlea-console': '1' };
  const send = (path: string, headers: Record<string, string>, body?: object): Promise<Response> =>
    fetch(`${base}/console/api/${path}`, {
      method: 'POST',
      headers: { ...page, ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const entered = await send('enter', {}, { link: address.split('#')[1] });
  t.equal(entered.status, 200);
  const cookie = entered.headers.getSetCookie()[0]!.split(';')[0]!;
  const token = async (): Promise<string> =>
    ((await (await send('stream-token', { cookie })).json()) as { token: string }).token;

  const first = await token();
  for (const path of ['/v1/users/settings', '/v1/dev/user/conversations']) {
    const refused = await fetch(base + path, { headers: { authorization: `Bearer ${first}` } });
    t.equal(refused.status, 401, path);
  }
  const socket = new WebSocket(`${base.replace('http', 'ws')}/v4/web/listen?codec=pcm16&sample_rate=16000`, {
    origin: base,
  });
  t.teardown(() => socket.terminate());
  const received: { type?: string; success?: boolean; status?: string }[] = [];
  socket.on('message', (data, isBinary) => {
    if (!isBinary && String(data).startsWith('{')) received.push(JSON.parse(String(data)));
  });
  await once(socket, 'open');
  const accepted = (): number =>
    received.filter(({ type, success }) => type === 'auth_response' && success === true).length;
  socket.send(JSON.stringify({ type: 'auth', token: first }));
  await until(() => accepted() === 1, 'the token opens the stream');
  socket.send(JSON.stringify({ type: 'auth', token: await token() }));
  await until(() => accepted() === 2, 'a further token continues the stream');

  // Tokens contain the second in which they were issued, so a sign-out ends only tokens of earlier seconds.
  const nextSecond = (Math.floor(Date.now() / 1000) + 1) * 1000;
  await until(() => Date.now() >= nextSecond, 'the second of the token is over');
  const closed = once(socket, 'close');
  const ended = await fetch(`${base}/v1/users/sessions`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${(await service.user(uid)).token}` },
  });
  t.equal(ended.status, 204);
  t.equal((await closed)[0], 4004, 'signing out everywhere closes the stream');
  t.equal((await send('stream-token', { cookie })).status, 401, 'and ends the session');
});

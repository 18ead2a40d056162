/**
 * Tests the command line's local server, which waits for the browser. Sign-in continues, whatever other programs on this machine send to
 * the server.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { listenForReturn } from '../../src/cli/sign-in/loopback.js';

const state = 'the-state-of-this-sign-in';

const listening = async (t: Test) => {
  const loopback = await listenForReturn(state);
  t.teardown(() => loopback.close());
  const { host, port } = new URL(loopback.redirectUri);
  /** Sends raw bytes and reads until the connection ends. */
  const send = async (bytes: string | Uint8Array): Promise<string> => {
    const socket = connect(Number(port), '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk)).on('error', () => undefined);
    socket.end(bytes);
    await once(socket, 'close');
    return answer;
  };
  const get = (target: string, more = ''): Promise<string> =>
    send(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`);
  return { ...loopback, host, send, get };
};

t.test('only the redirect with the right state ends a sign-in', async (t) => {
  const { host, get, send, returned } = await listening(t);
  for (const target of [
    ...[
      '//',
      '///',
      '//callback',
      '/\\',
      '/',
      '/callback/',
      '/callback#',
      '/callback%00',
      '*',
      'http://',
      'http://[',
    ],
    ...[
      'http://%',
      '//[',
      '//@:',
      '/%',
      '/..',
      `/${'x'.repeat(8000)}`,
      '/callback&code=x',
      `http://${host}/callback`,
    ],
  ])
    t.match(await get(target), /^HTTP\/1\.1 40[04] |^$/, target.slice(0, 20));
  for (const query of [
    '',
    '?',
    '?code=x',
    '?code=x&state=',
    '?code=x&state=y',
    '?%&state=%',
    `?state=x${state}`,
  ])
    t.match(await get(`/callback${query}`), /^HTTP\/1\.1 400 /, query);
  for (const request of [
    ...['', '\r\n', '\0', 'GET', 'GET / HTTP/9.9\r\n\r\n', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'],
    `POST /callback?state=${state}&code=x HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 9\r\n\r\nhalf`,
    `GET /callback?state=${state}&code=x HTTP/1.1\r\nHost: evil.example\r\n\r\n`,
    `GET /callback?state=${state}&code=x HTTP/1.1\r\n\r\n`,
    `GET // HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: ${host}\r\nExpect: 100-continue\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: ${host}\r\nExpect: something\r\n\r\n`,
  ])
    t.notMatch(await send(request), /^HTTP\/1\.1 200/);
  t.match(await get(`/callback?code=good&state=${state}`), /^HTTP\/1\.1 200 /);
  t.same(await returned, { code: 'good' });
});

t.test('the redirect is accepted after any bytes', async (t) => {
  const { get, send, returned } = await listening(t);
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        fc
          .string({ unit: 'binary', maxLength: 60 })
          .map((text) => `GET /${text} HTTP/1.1\r\nHost: x\r\n\r\n`),
        fc
          .array(fc.constantFrom('/', '\\', '?', '[', ']', '%', ':', '@', '#', 'callback', '&'))
          .map((parts) => `GET /${parts.join('')} HTTP/1.1\r\nHost: x\r\n\r\n`),
      ),
      async (bytes) => {
        if ((await send(bytes)).startsWith('HTTP/1.1 200')) throw new Error('taken for the redirect');
      },
    ),
    { numRuns: 200 },
  );
  t.match(await get(`/callback?error=access_denied&state=${state}`), /^HTTP\/1\.1 200 /);
  t.same(await returned, { error: 'access_denied' });
});

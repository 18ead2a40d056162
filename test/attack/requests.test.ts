/** No request ends the engine, whatever its bytes are. Every request gets an answer or a closed connection. */
import { connect } from 'node:net';
import t from 'tap';
import { serviceOnTestDatabase } from '../support/service.js';

/** Timeout for an answer, in ms. The listener closes a connection without data after 10 s. */
const answerTimeout = 40_000;

/** Sends bytes on a new connection. @returns the bytes received until the connection closed or no more bytes came. */
const exchange = (port: number, request: Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const received: Buffer[] = [];
    const finish = (): void => {
      socket.destroy();
      resolve(Buffer.concat(received).toString('latin1'));
    };
    socket.setTimeout(answerTimeout, () => reject(new Error(`no end: ${request.toString('latin1')}`)));
    socket.on('data', (chunk: Buffer) => {
      received.push(chunk);
      if (chunk.includes('\r\n\r\n')) finish();
    });
    socket.on('close', finish);
    socket.on('error', finish);
    socket.write(request);
  });

const request = (line: string, headers = 'Host: a\r\n'): Buffer =>
  Buffer.from(`${line}\r\n${headers}\r\n`, 'latin1');

const bytes = Array.from({ length: 256 }, (_, byte) => byte);

t.test('any byte in a request gets an HTTP answer or closes the connection', async (t) => {
  const service = await serviceOnTestDatabase(t, { COCHLEA_STT: 'discard' });
  const port = Number(new URL(service.base).port);
  const engines = service.processes(' engine');
  t.equal(engines.length, 1);
  const places: [place: string, make: (character: string) => Buffer][] = [
    ['path', (character) => request(`GET /a${character}b HTTP/1.1`)],
    ['query', (character) => request(`GET /a?b=${character} HTTP/1.1`)],
    ['method', (character) => request(`GE${character}T / HTTP/1.1`)],
    ['header name', (character) => request('GET /health/live HTTP/1.1', `Host: a\r\nX${character}Y: 1\r\n`)],
    ['header value', (character) => request('GET /health/live HTTP/1.1', `Host: a\r\nX: 1${character}2\r\n`)],
    ['stream path', (character) => request(`GET /v4/listen${character}?uid=${character} HTTP/1.1`)],
    [
      'upgrade',
      (character) =>
        request(
          `GET /v4/listen?uid=${character} HTTP/1.1`,
          `Host: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${character}dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nAuthorization: Bearer ${character}\r\n`,
        ),
    ],
  ];
  const tryPlace = async ([place, make]: (typeof places)[number]): Promise<void> => {
    const answers = await Promise.all(
      bytes.map((byte) => {
        const sent = make(String.fromCharCode(byte));
        // A CR or LF ends the head early. The server would then wait for more bytes, so this case is skipped.
        return byte === 10 || byte === 13 ? Promise.resolve('') : exchange(port, sent);
      }),
    );
    const broken = answers.filter((answer) => answer !== '' && !/^HTTP\/1\.1 [2-5]\d\d /.test(answer));
    t.same(broken, [], `${place}: an HTTP answer or a closed connection`);
    t.notOk(
      answers.some((answer) => answer.startsWith('HTTP/1.1 500')),
      `${place}: no internal error`,
    );
  };
  await Promise.all(places.map(tryPlace));
  for (const path of [
    '/%E9',
    '/%00',
    '/\xc3\xa9',
    '/\xe4\xb8\x80',
    '/\xf0\x9f\x98\x80',
    '/%',
    '//',
    '/..%2f..',
  ]) {
    t.match(await exchange(port, request(`GET ${path} HTTP/1.1`)), /^(HTTP\/1\.1 4\d\d |$)/, path);
  }
  t.equal((await fetch(`${service.base}/engine/health/live`)).status, 200);
  t.equal((await fetch(`${service.base}/health/live`)).status, 200);
  t.same(service.processes(' engine'), engines, 'the engine did not restart');
});

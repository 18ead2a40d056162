/** Handshakes, refusals before the upgrade, and requests that are proxied to the sidecar. */
import type { Area, Case } from './case.js';
import { text } from './frames.js';

export const key = 'dGhlIHNhbXBsZSBub25jZQ==';
/** The value of `Sec-WebSocket-Accept` for the key of the handshakes, as in RFC 6455. */
export const accept = 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=';

const usual: Readonly<Record<string, string>> = {
  Host: 'cochlea',
  Upgrade: 'websocket',
  Connection: 'Upgrade',
  'Sec-WebSocket-Key': key,
  'Sec-WebSocket-Version': '13',
  Authorization: 'Bearer token-ann',
};

interface Handshake {
  readonly line?: string;
  /** Headers that replace the usual ones. An empty text omits a header. */
  readonly headers?: Readonly<Record<string, string>>;
}

export const streamTarget = '/v4/listen?uid=ann&codec=opus&sample_rate=16000';

export const handshake = ({
  line = `GET ${streamTarget} HTTP/1.1`,
  headers = {},
}: Handshake = {}): string => {
  const fields = Object.entries({ ...usual, ...headers }).filter(([, value]) => value !== '');
  return `${line}\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
};

const shake = (name: string, given: Handshake, outcome: Case['outcome']): Case => ({
  name,
  pieces: [handshake(given)],
  outcome,
});

const ending = (name: string, connection: string, outcome: Case['outcome']): Case => ({
  ...shake(name, { headers: { Connection: connection } }, outcome),
  endsConnection: true,
});

/**
 * The outcome for bytes that the older uWebSockets.js does not recognise as a request. The newer build reads them as a
 * request with an unsupported version of HTTP.
 */
const noRequest: Case['outcome'] = { uws: 'cut', newer: '505, closed', ws: '400, closed' };
const noVersion: Case['outcome'] = { uws: 'cut', newer: '505, closed', ws: '505, closed' };
const oldVersion: Case['outcome'] = { uws: 'cut', newer: '505, closed', ws: '200, closed' };
const badRequest: Case['outcome'] = { uws: 'cut', newer: '400, closed', ws: '400, closed' };

/** Returns a case of a handshake with one more header line, which may repeat a name. */
const withLine = (name: string, line: string, outcome: Case['outcome'], body = ''): Case => ({
  name,
  pieces: [handshake().replace('Authorization', `${line}\r\nAuthorization`) + body],
  outcome,
});

const lowerCase = handshake().replace(/^[\w-]+(?=: )/gm, (name) => name.toLowerCase());

export const handshakes: Area = {
  title: 'Handshake',
  afterUpgrade: false,
  cases: [
    shake('a valid handshake of RFC 6455', {}, '101'),
    { name: 'header names in lower case', pieces: [lowerCase], outcome: '101' },
    shake('`Upgrade: WebSocket`', { headers: { Upgrade: 'WebSocket' } }, '101'),
    shake('`Connection: keep-alive, Upgrade`', { headers: { Connection: 'keep-alive, Upgrade' } }, '101'),
    shake('`Connection: upgrade`', { headers: { Connection: 'upgrade' } }, '101'),
    shake(
      '`Connection: keep-alive`',
      { headers: { Connection: 'keep-alive' } },
      { uws: '400, closed', ws: '200' },
    ),
    ending('`Connection: close`', 'close', { uws: '400, closed', ws: '200, closed' }),
    ending('`Connection: close, Upgrade`', 'close, Upgrade', '400, closed'),
    ending('`Connection: close` and `Connection: Upgrade`', 'close\r\nConnection: Upgrade', '400, closed'),
    ending('`Connection: abcde` and `Connection: Upgrade`', 'abcde\r\nConnection: Upgrade', '400, closed'),
    shake('`Upgrade: websocket, h2c`', { headers: { Upgrade: 'websocket, h2c' } }, { uws: '101', ws: '200' }),
    { name: 'sent byte by byte', pieces: [handshake()], outcome: '101', byteByByte: true },
    {
      name: 'an empty line before the request',
      pieces: [`\r\n${handshake()}`],
      outcome: { uws: 'cut', ws: '101' },
    },
    {
      name: 'lines that end with LF instead of CR LF',
      pieces: [handshake().replaceAll('\r\n', '\n')],
      outcome: noRequest,
    },
    {
      name: 'sent before an earlier request is answered',
      pieces: [`GET /x HTTP/1.1\r\nHost: cochlea\r\n\r\n${handshake()}`],
      outcome: { uws: 'cut', ws: '200, 101' },
      answers: 2,
    },
    withLine('`Expect: 100-continue`', 'Expect: 100-continue', { uws: '100, 101', ws: '101' }),
    withLine('a body with `Content-Length`', 'Content-Length: 5', '400, closed', 'hello'),
    withLine('a chunked body', 'Transfer-Encoding: chunked', '400, closed', '0\r\n\r\n'),
    withLine('`Content-Length: 0`', 'Content-Length: 0', '101'),
    shake(
      '`Connection: keep-alive` and `Connection: Upgrade`',
      { headers: { Connection: 'keep-alive\r\nConnection: Upgrade' } },
      '101',
    ),
    ending('`Connection: Upgrade` and `Connection: close`', 'Upgrade\r\nConnection: close', '400, closed'),
    {
      name: 'a text frame in the same TCP segment as the handshake',
      pieces: [handshake() + text('hello').toString('latin1')],
      outcome: { uws: '101', ws: '101, text 5' },
    },
    shake(
      'two subprotocols are offered',
      { headers: { 'Sec-WebSocket-Protocol': 'first, second' } },
      '101 first',
    ),
    withLine(
      'subprotocols in two headers',
      'Sec-WebSocket-Protocol: first\r\nSec-WebSocket-Protocol: second',
      '101 first',
    ),
    shake(
      'a subprotocol with a blank in its name',
      { headers: { 'Sec-WebSocket-Protocol': 'a b' } },
      { uws: '101 a b', ws: '400, closed' },
    ),
    shake(
      'a subprotocol is offered twice',
      { headers: { 'Sec-WebSocket-Protocol': 'a, a' } },
      { uws: '101 a', ws: '400, closed' },
    ),
    shake(
      'a subprotocol without a name',
      { headers: { 'Sec-WebSocket-Protocol': ', a' } },
      { uws: '101', ws: '400, closed' },
    ),
    shake(
      'an invalid `Sec-WebSocket-Extensions` header',
      { headers: { 'Sec-WebSocket-Extensions': ';;=' } },
      '101',
    ),
    shake('compression is offered', { headers: { 'Sec-WebSocket-Extensions': 'permessage-deflate' } }, '101'),
    shake(
      'without `Connection: Upgrade`',
      { headers: { Connection: '' } },
      { uws: '400, closed', ws: '200' },
    ),
    shake(
      '`Upgrade: h2c` instead of `websocket`',
      { headers: { Upgrade: 'h2c' } },
      { uws: '101', ws: '200' },
    ),
    shake('without `Sec-WebSocket-Key`', { headers: { 'Sec-WebSocket-Key': '' } }, '200'),
    shake('a `Sec-WebSocket-Key` that is too short', { headers: { 'Sec-WebSocket-Key': 'abc' } }, '200'),
    shake(
      'a `Sec-WebSocket-Key` that is not base64',
      { headers: { 'Sec-WebSocket-Key': '!'.repeat(24) } },
      { uws: '101', ws: '400, closed' },
    ),
    shake(
      'a `Sec-WebSocket-Key` with blanks around it',
      { headers: { 'Sec-WebSocket-Key': `  ${key}  ` } },
      '101',
    ),
    withLine('two `Sec-WebSocket-Key` headers', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==', {
      uws: '101',
      ws: '200',
    }),
    shake(
      'the two key headers of an earlier draft of WebSocket',
      {
        headers: { 'Sec-WebSocket-Key': '', 'Sec-WebSocket-Key1': '4 @1  46546', 'Sec-WebSocket-Key2': '12' },
      },
      '200',
    ),
    shake(
      '`Sec-WebSocket-Version: 8`',
      { headers: { 'Sec-WebSocket-Version': '8' } },
      { uws: '101', ws: '400, closed' },
    ),
    shake(
      'without `Sec-WebSocket-Version`',
      { headers: { 'Sec-WebSocket-Version': '' } },
      { uws: '101', ws: '400, closed' },
    ),
    withLine('two `Sec-WebSocket-Version` headers', 'Sec-WebSocket-Version: 8', {
      uws: '101',
      ws: '400, closed',
    }),
    shake('the method POST', { line: `POST ${streamTarget} HTTP/1.1` }, '200'),
    shake('the method HEAD', { line: `HEAD ${streamTarget} HTTP/1.1` }, '200'),
    shake(
      'HTTP/2.0',
      { line: `GET ${streamTarget} HTTP/2.0` },
      { uws: 'cut', newer: '505, closed', ws: '505, closed' },
    ),
    shake(
      'an absolute URL as target',
      { line: `GET http://cochlea${streamTarget} HTTP/1.1` },
      { uws: 'cut', newer: '505, closed', ws: '101' },
    ),
    shake(
      'a percent escape in the path',
      { line: `GET ${streamTarget.replace('l', '%6c')} HTTP/1.1` },
      '200',
    ),
    shake('without `Host`', { headers: { Host: '' } }, badRequest),
    shake('HTTP/1.0', { line: `GET ${streamTarget} HTTP/1.0` }, oldVersion),
    shake('another path (`/v4/listen/`)', { line: 'GET /v4/listen/ HTTP/1.1' }, '200'),
    shake('without a token', { headers: { Authorization: '' } }, '401, closed'),
    shake(
      'a query that is too long',
      { line: `GET ${streamTarget}&x=${'x'.repeat(5000)} HTTP/1.1` },
      '431, closed',
    ),
    shake('without `uid` in the query', { line: 'GET /v4/listen HTTP/1.1' }, '403, closed'),
    shake(
      'two `Host` headers',
      { headers: { host: 'other' } },
      { uws: '101', newer: '400, closed', ws: '400, closed' },
    ),
  ],
};

const request = (name: string, pieces: readonly string[], outcome: Case['outcome']): Case => ({
  name,
  pieces,
  outcome,
});
const host = 'Host: cochlea\r\n';

export const requests: Area = {
  title: 'Requests to the sidecar',
  afterUpgrade: false,
  cases: [
    request('GET', [`GET /x HTTP/1.1\r\n${host}\r\n`], '200'),
    request('HEAD', [`HEAD /x HTTP/1.1\r\n${host}\r\n`], '200'),
    request(
      'POST with `Content-Length`',
      [`POST /x HTTP/1.1\r\n${host}Content-Length: 3\r\n\r\n`, 'abc'],
      '200',
    ),
    request(
      'POST with a chunked body',
      [`POST /x HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n`, '3\r\nabc\r\n', '0\r\n\r\n'],
      '200',
    ),
    request(
      'POST with `Upgrade: h2c`',
      [`POST /x HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 3\r\n\r\nabc`],
      '200',
    ),
    request(
      '`Expect: 100-continue`',
      [`POST /x HTTP/1.1\r\n${host}Expect: 100-continue\r\nContent-Length: 3\r\n\r\n`, 'abc'],
      '100, 200',
    ),
    {
      name: 'a second request before the first is answered',
      pieces: [`GET /x HTTP/1.1\r\n${host}\r\nGET /y HTTP/1.1\r\n${host}\r\n`],
      outcome: { uws: 'cut', ws: '200, 200' },
      answers: 2,
    },
    request('HTTP/1.0', [`GET /x HTTP/1.0\r\n${host}\r\n`], oldVersion),
    request('HTTP/2.0', [`GET /x HTTP/2.0\r\n${host}\r\n`], noVersion),
    request('`HTTP/3.7`, which does not exist', [`GET /x HTTP/3.7\r\n${host}\r\n`], noVersion),
    request('an unknown method (`BREW`)', [`BREW /x HTTP/1.1\r\n${host}\r\n`], {
      uws: 'cut',
      newer: '405, closed',
      ws: '405, closed',
    }),
    {
      name: 'an unknown method (`BREW`), sent byte by byte',
      pieces: [`BREW /x HTTP/1.1\r\n${host}\r\n`],
      byteByByte: true,
      outcome: { uws: 'cut', newer: '405, closed', ws: '405, closed' },
    },
    request(
      'a method that the sidecar does not serve (`PROPFIND`)',
      [`PROPFIND /x HTTP/1.1\r\n${host}\r\n`],
      {
        uws: 'cut',
        newer: '405, closed',
        ws: '405, closed',
      },
    ),
    request('CONNECT', [`CONNECT cochlea:443 HTTP/1.1\r\n${host}\r\n`], {
      uws: 'cut',
      newer: '505, closed',
      ws: '405, closed',
    }),
    request(
      'two different `Content-Length` headers',
      [`POST /x HTTP/1.1\r\n${host}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`],
      '400, closed',
    ),
    request(
      '`Content-Length` and `Transfer-Encoding: chunked`',
      [`POST /x HTTP/1.1\r\n${host}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
      badRequest,
    ),
    request(
      'a blank before the colon of a header',
      [`GET /x HTTP/1.1\r\n${host}X-A : b\r\n\r\n`],
      badRequest,
    ),
    request('a header folded over two lines', [`GET /x HTTP/1.1\r\n${host}X-A: b\r\n c\r\n\r\n`], badRequest),
    request('without `Host`', ['GET /x HTTP/1.1\r\n\r\n'], badRequest),
    request('headers of 70 KB in total', [`GET /x HTTP/1.1\r\n${host}X-A: ${'a'.repeat(70_000)}\r\n\r\n`], {
      uws: '431',
      newer: '431, closed',
      ws: '431, closed',
    }),
    request('an absolute URL as target', [`GET http://cochlea/x HTTP/1.1\r\n${host}\r\n`], {
      uws: 'cut',
      newer: '505, closed',
      ws: '200',
    }),
    request('bytes that are not an HTTP request', ['\x16\x03\x01\x02\x00 \r\n\r\n'], noRequest),
  ],
};
